"""What a review page needs besides answers: kept files, background jobs, pictures of pages."""
