"""What a person does, each call a job: review, filing, dictations, patients."""
