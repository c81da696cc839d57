"""Streamlit pages over `longleaf.app`."""
