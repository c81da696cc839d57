"""Workers of bench/peer.py, one a contender, each run by the Python of its own environment.

A worker gets a model file and a file of token ids, says {"ready": …} on a line of its own, then answers every
line {"prompt": P, "generate": G} with {"prefill_seconds": …, "decode_seconds": …}: the time to read the first
P ids into an empty cache, and the time of G further single-token steps.
"""
