"""What kind of file it is, and for each kind but PDF a module that reads it, inside the worker process."""
