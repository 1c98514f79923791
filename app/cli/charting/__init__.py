"""Commands about patients and dictations: from a recording to filed values."""
