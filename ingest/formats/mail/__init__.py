"""Messages: headers, body text, attachments."""
