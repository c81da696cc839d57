"""What a person names on the command line or drops on a page, opened up into files and documents."""
