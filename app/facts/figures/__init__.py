"""The figures of a report: statements as tables, their columns and periods, their lines and operands."""
