from longleaf.app.retrieval.document_routing import named, naming


def test_a_former_name_and_a_symbol_lead_to_all_filings_of_a_company() -> None:
    charter = "\n(Exact name of registrant as specified in its charter)\n"
    old = naming(
        "OAKRIDGE_2016_10K.pdf", "", f"Form 10-K\nOAKRIDGE SYSTEMS INC{charter}fiscal year ended May 31, 2016"
    )
    new = naming(
        "OAKRIDGE_2022_10K.pdf", "", f"Form 10-K\nOAKRIDGE INC{charter}fiscal year ended May 31, 2022"
    )
    quarter = naming(
        "BIRCHWOOD_2023Q2_10Q.pdf",
        "",
        f"BIRCHWOOD PLC{charter}Ordinary shares BWD New York Stock Exchange",
    )
    release = naming("BIRCHWOOD_2023Q4_EARNINGS.pdf", "", "Full year results")
    filings = [old, new, quarter, release]
    assert named("What did Oakridge Systems earn in FY2022?", filings) == [1]
    assert named("What did Oakridge Systems earn in FY2016?", filings) == [0]
    assert named("BWD revenue in fiscal 2023", filings) == [3]
    assert named("BWD revenue in Q2 2023", filings) == [2]
