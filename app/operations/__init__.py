"""What a person can do, each call a job: review, filing, dictations, patients."""
