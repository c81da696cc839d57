"""Many requests, one model: scheduler, tasks, sampling, output text."""
