"""Who the parties are and when the contract was made: preambles as people write them, all written here."""

from __future__ import annotations

import pytest

from longleaf.app.facts.contracts.dates import agreement_dates, effective_dates
from longleaf.app.facts.contracts.parties import find_parties, preamble
from longleaf.app.facts.document_text import passages
from tests.support.plain_documents import plain_document

# text, the parties, the date made (ISO, "" if none)
PREAMBLES = [
    pytest.param(
        (
            "This Services Agreement (this “Agreement”) is entered into as of the 3rd day of April, 2012 "
            "(the “Effective Date”), by and between Orchid Health, Inc., a Delaware corporation with its "
            "principal place of business at 12 Main Street, Boston, MA (“Client”) and Birch & Fern "
            "Consulting LLP, a limited liability partnership (“Consultant”).\n"
            "WHEREAS, Client"
        ),
        ["Orchid Health, Inc.", "Birch & Fern Consulting LLP"],
        "2012-04-03",
        id="Orchid Health, Inc.",
    ),
    pytest.param(
        (
            "SUPPLY AGREEMENT\n"
            "This agreement is made on 12 March 2009\n"
            "BETWEEN\n"
            "(1) ALDER FOODS LIMITED (company number 123456) whose registered office is at 1 High Street, "
            "London (the “Seller”); and\n"
            "(2) BEECH RETAIL PLC, a company incorporated in England (the “Buyer”).\n"
            "IT IS AGREED as follows:\n"
            "1. Definitions"
        ),
        ["ALDER FOODS LIMITED", "BEECH RETAIL PLC"],
        "2009-03-12",
        id="ALDER FOODS LIMITED",
    ),
    pytest.param(
        (
            "LICENSE AGREEMENT\n"
            "THIS LICENSE AGREEMENT, dated as of June 1, 2001, among CEDAR CORP., a New York corporation, "
            "DOGWOOD HOLDINGS N.V., a Netherlands company, and JOHN Q. PUBLIC, an individual residing in "
            "Ohio.\n"
            "WITNESSETH:"
        ),
        ["CEDAR CORP.", "DOGWOOD HOLDINGS N.V.", "JOHN Q. PUBLIC"],
        "2001-06-01",
        id="CEDAR CORP.",
    ),
    pytest.param(
        (
            "Employment Agreement\n"
            "This Employment Agreement is made effective as of January 15, 2018 by and between Elm Bank "
            "(the “Bank”) and Mary Ann Smith (“Executive”).\n"
            "RECITALS"
        ),
        ["Elm Bank", "Mary Ann Smith"],
        "2018-01-15",
        id="Elm Bank",
    ),
    pytest.param(
        (
            "AGREEMENT made this 5th day of May, 1998 between THE REGENTS OF THE UNIVERSITY OF CALIFORNIA, "
            'a public corporation ("University"), and Fir Genetics, Inc. ("Licensee").\n'
            "WHEREAS"
        ),
        ["REGENTS OF THE UNIVERSITY OF CALIFORNIA", "Fir Genetics, Inc."],
        "1998-05-05",
        id="REGENTS OF THE UNIVERSITY OF CALIFORNIA",
    ),
    pytest.param(
        (
            "HOSTING AGREEMENT\n"
            "Between: Gum Networks GmbH, Berlin\n"
            "and\n"
            "Hazel S.A., Paris\n"
            "Dated 4 July 2011\n"
            "1. SERVICES\n"
            "Gum shall"
        ),
        ["Gum Networks GmbH", "Hazel S.A."],
        "2011-07-04",
        id="Gum Networks GmbH",
    ),
    pytest.param(
        (
            "FRANCHISE AGREEMENT\n"
            "This Agreement is entered into on October 2, 2006, between Ironwood Franchising, LLC, a Texas "
            'limited liability company ("we", "us" or "Franchisor"), and Juniper Eats Inc. ("you" or '
            '"Franchisee").\n'
            "BACKGROUND"
        ),
        ["Ironwood Franchising, LLC", "Juniper Eats Inc."],
        "2006-10-02",
        id="Ironwood Franchising, LLC",
    ),
    pytest.param(
        (
            "AMENDMENT NO. 2\n"
            'This Amendment No. 2 (this "Amendment"), dated as of August 9, 2015, to the Master Services '
            'Agreement, dated as of March 1, 2013 (the "Agreement"), is by and between Kapok Software, Inc. '
            '("Kapok") and Larch Telecom Pty Ltd ("Larch").\n'
            "WHEREAS"
        ),
        ["Kapok Software, Inc.", "Larch Telecom Pty Ltd"],
        "2015-08-09",
        id="Kapok Software, Inc.",
    ),
    pytest.param(
        (
            "JOINT VENTURE CONTRACT\n"
            "Party A: Maple (Tianjin) Trading Co., Ltd.\n"
            "Address: 1 Road, Tianjin\n"
            "Party B: Oak International Ltd.\n"
            "Address: Hong Kong\n"
            "Date: May 2, 2010\n"
            "In accordance with"
        ),
        ["Maple (Tianjin) Trading Co., Ltd.", "Oak International Ltd."],
        "2010-05-02",
        id="Maple (Tianjin) Trading Co., Ltd.",
    ),
    pytest.param(
        (
            "SPONSORSHIP AGREEMENT\n"
            'This Sponsorship Agreement ("Agreement") is by and between Palm Racing (hereinafter referred '
            'to as "Team") located at 5 Speedway Blvd, Charlotte, NC and Quince Energy Drinks, Inc. '
            '(hereinafter "Sponsor"), and shall be effective as of February 20, 2014.\n'
            "1. TERM"
        ),
        ["Palm Racing", "Quince Energy Drinks, Inc."],
        "2014-02-20",
        id="Palm Racing",
    ),
    pytest.param(
        (
            "This DISTRIBUTION AGREEMENT is made and entered into this 1st day of July, 2003 (“Effective "
            "Date”) by and between ROWAN MEDICAL, INC. , a California corporation (“Rowan”) having offices "
            "at 1 A St., San Jose, California and SPRUCE PHARMA CO., LTD., a corporation organized under "
            "the laws of Japan (“Spruce”) (each a “Party” and together the “Parties”).\n"
            "RECITALS"
        ),
        ["ROWAN MEDICAL, INC.", "SPRUCE PHARMA CO., LTD."],
        "2003-07-01",
        id="ROWAN MEDICAL, INC.",
    ),
    pytest.param(
        (
            "MASTER LEASE\n"
            'This Lease is made by TULIP PROPERTIES LP ("Landlord") and UMBRA STORES, INC. ("Tenant") on '
            "September 30, 2020.\n"
            "1. PREMISES"
        ),
        ["TULIP PROPERTIES LP", "UMBRA STORES, INC."],
        "2020-09-30",
        id="TULIP PROPERTIES LP",
    ),
    pytest.param(
        (
            "AGENCY AGREEMENT\n"
            'VINE INSURANCE COMPANY, a Vermont corporation ("Company"), hereby appoints Willow Agencies, '
            'Inc. ("Agent") as its agent effective November 1, 1999.\n'
            "I. AUTHORITY"
        ),
        ["VINE INSURANCE COMPANY", "Willow Agencies, Inc."],
        "1999-11-01",
        id="VINE INSURANCE COMPANY",
    ),
    pytest.param(
        (
            "STRATEGIC ALLIANCE AGREEMENT\n"
            "This Agreement dated the 7th of August, 2007\n"
            "AMONG:\n"
            "YEW MINING CORP., a company incorporated under the laws of British Columbia\n"
            '("Yew")\n'
            "OF THE FIRST PART\n"
            "AND:\n"
            "ZELKOVA RESOURCES S.A. DE C.V., a company incorporated under the laws of Mexico\n"
            '("Zelkova")\n'
            "OF THE SECOND PART\n"
            "WHEREAS:"
        ),
        ["YEW MINING CORP.", "ZELKOVA RESOURCES S.A. DE C.V."],
        "2007-08-07",
        id="YEW MINING CORP.",
    ),
    pytest.param(
        (
            "JOINT FILING AGREEMENT\n"
            "The undersigned agree that the statement on Schedule 13G is filed on behalf of each of them.\n"
            "Date: February 14, 2019\n"
            "ACORN CAPITAL MANAGEMENT, LLC\n"
            "By: /s/ Ann Lee\n"
            "Name: Ann Lee\n"
            "Title: Managing Member\n"
            "ACORN FUND, L.P.\n"
            "By: Acorn Capital Management, LLC, its general partner\n"
            "By: /s/ Ann Lee\n"
            "/s/ Ann Lee\n"
            "Ann Lee, individually"
        ),
        ["ACORN CAPITAL MANAGEMENT, LLC", "ACORN FUND, L.P."],
        "2019-02-14",
        id="ACORN CAPITAL MANAGEMENT, LLC",
    ),
    pytest.param(
        (
            "PROMOTION AGREEMENT\n"
            'This Promotion Agreement (the "Agreement") is made as of the date last signed below (the '
            '"Effective Date") between Bay Laurel Records, a division of Laurel Media Group, Inc., with '
            'offices at 9 Sunset Blvd ("Label") and Sky Blue p/k/a "DJ Sky" ("Artist").\n'
            "WHEREAS"
        ),
        ["Bay Laurel Records"],
        "",
        id="Bay Laurel Records",
    ),
    pytest.param(
        (
            "CONSULTING AGREEMENT\n"
            "Consulting Agreement (“Agreement”) dated 10/12/2013 by and between Myrtle Corp (the "
            "“Company”), a Nevada Corporation, and Dr. Paul O’Neil (the “Consultant”), an individual.\n"
            "1. Services"
        ),
        ["Myrtle Corp", "Paul O’Neil"],
        "2013-10-12",
        id="Myrtle Corp",
    ),
    pytest.param(
        (
            "Exhibit 10.3\n"
            "CO-BRANDING AGREEMENT\n"
            'This Co-Branding Agreement, effective as of March 31, 2000 (the "Effective Date"), is entered '
            'into by Nutmeg.com, Inc., a Delaware corporation, with offices at 3 X St. ("Nutmeg"), and '
            'Olive Internet Ltd., an English company ("Olive").\n'
            "In consideration of"
        ),
        ["Nutmeg.com, Inc.", "Olive Internet Ltd."],
        "2000-03-31",
        id="Nutmeg.com, Inc.",
    ),
    pytest.param(
        (
            "ENDORSEMENT AGREEMENT\n"
            "THIS AGREEMENT is entered into as of the ___ day of ________, 2005, by and between Pecan Golf "
            'Company, a Georgia corporation ("Company"), and Tom Ray Jones ("Player").\n'
            "WHEREAS"
        ),
        ["Pecan Golf Company", "Tom Ray Jones"],
        "2005",
        id="Pecan Golf Company",
    ),
    pytest.param(
        (
            "COLLABORATION AGREEMENT\n"
            "by and between\n"
            "REDBUD THERAPEUTICS, INC.\n"
            "and\n"
            "SAGE BIOLOGICS AG\n"
            "Dated as of December 12, 2016\n"
            "TABLE OF CONTENTS\n"
            "ARTICLE 1 DEFINITIONS 1\n"
            "COLLABORATION AGREEMENT\n"
            "This Collaboration Agreement (this “Agreement”) is made and entered into effective as of "
            "December 12, 2016 (the “Execution Date”), by and between Redbud Therapeutics, Inc., a "
            "corporation organized and existing under the laws of Delaware (“Redbud”), and Sage Biologics "
            "AG, a Swiss company (“Sage”). Redbud and Sage are each referred to as a “Party”.\n"
            "RECITALS"
        ),
        ["Redbud Therapeutics, Inc.", "Sage Biologics AG"],
        "2016-12-12",
        id="Redbud Therapeutics, Inc.",
    ),
    pytest.param(
        (
            "MAINTENANCE AGREEMENT\n"
            'THIS AGREEMENT is between the following parties: Teak Systems, Inc. ("Teak") and the City of '
            'Springfield, a municipal corporation ("City"), as of April 4, 2002.\n'
            "WHEREAS"
        ),
        ["Teak Systems, Inc.", "City of Springfield"],
        "2002-04-04",
        id="Teak Systems, Inc.",
    ),
    pytest.param(
        (
            "Service Agreement dated as of May 1, 2004 among Fund Trust, a Massachusetts business trust "
            "(the “Trust”), on behalf of each of its series listed on Schedule A, and Walnut Advisers LLC "
            "(the “Adviser”).\n"
            "WHEREAS"
        ),
        ["Fund Trust", "Walnut Advisers LLC"],
        "2004-05-01",
        id="Fund Trust",
    ),
    pytest.param(
        (
            "Exhibit 99.1\n"
            "CONTENT DISTRIBUTION AND LICENSING AGREEMENT\n"
            'This Content Distribution and Licensing Agreement (the "Agreement") is entered into as of the '
            '14th day of November 2013 ("Effective Date"), by and between Ash Media Inc. (hereinafter '
            'referred to as "Ash" or "Licensor"), a corporation organized under the laws of Nevada with its '
            "principal place of business located at 34 Fifth Ave, New York, NY 10016 and Broom Television "
            'Network, LLC (hereinafter referred to as "Broom"). Each a "Party".\n'
            "WHEREAS,"
        ),
        ["Ash Media Inc.", "Broom Television Network, LLC"],
        "2013-11-14",
        id="Ash Media Inc.",
    ),
    pytest.param(
        (
            "OUTSOURCING AGREEMENT\n"
            "This Outsourcing Agreement is dated as of the Effective Date set forth below between CLOVER, "
            "INC. AND DAISY SERVICES CORPORATION.\n"
            "Effective Date: June 30, 2005\n"
            "1."
        ),
        ["CLOVER, INC.", "DAISY SERVICES CORPORATION"],
        "2005-06-30",
        id="CLOVER, INC.",
    ),
    pytest.param(
        (
            "SOFTWARE RESELLER AGREEMENT\n"
            'THIS AGREEMENT ("Agreement") is made the 21st day of January 2010 by and between Elder '
            'Software (the "Company"), whose principal place of business is at 88 Park Avenue, Denver, '
            'Colorado, and Fennel Partners (the "Reseller"), whose principal place of business is at 12 Oak '
            "St, Reno, Nevada.\n"
            "The parties agree as follows:"
        ),
        ["Elder Software", "Fennel Partners"],
        "2010-01-21",
        id="Elder Software",
    ),
    pytest.param(
        (
            "TRANSPORTATION SERVICE AGREEMENT\n"
            "This Agreement, made and entered into this 1st day of May, 1996, by and between Gorse Pipeline "
            'Company, a Delaware corporation, hereinafter referred to as "Transporter," and Heather Gas '
            'Company, a Missouri corporation, hereinafter referred to as "Shipper."\n'
            "WITNESSETH"
        ),
        ["Gorse Pipeline Company", "Heather Gas Company"],
        "1996-05-01",
        id="Gorse Pipeline Company",
    ),
    pytest.param(
        (
            "MANUFACTURING AGREEMENT\n"
            "between\n"
            "IRIS AUTO PARTS, INC.\n"
            "and\n"
            "JASMINE MOTORS CORPORATION OF AMERICA\n"
            "This Agreement is entered into on 09/01/2015.\n"
            "1. SCOPE"
        ),
        ["IRIS AUTO PARTS, INC.", "JASMINE MOTORS CORPORATION OF AMERICA"],
        "2015-09-01",
        id="IRIS AUTO PARTS, INC.",
    ),
    pytest.param(
        (
            "WEB SITE HOSTING AGREEMENT\n"
            "This Agreement is made this ninth day of September, 1999 between Kale Tech, a sole "
            'proprietorship owned by Robert Kale ("Host") and Lettuce Online, Inc. ("Customer").\n'
            "In consideration"
        ),
        ["Kale Tech", "Lettuce Online, Inc."],
        "1999-09-09",
        id="Kale Tech",
    ),
    pytest.param(
        (
            "NON-COMPETITION AND NON-SOLICITATION AGREEMENT\n"
            "This AGREEMENT is being executed and delivered as of October 1, 2019, by Mint Holdings Ltd., a "
            "Cayman Islands company (“Covenantor”), in favor of and for the benefit of Nettle Group plc, a "
            "public company (“Purchaser”).\n"
            "RECITALS"
        ),
        ["Mint Holdings Ltd.", "Nettle Group plc"],
        "2019-10-01",
        id="Mint Holdings Ltd.",
    ),
    pytest.param(
        (
            "INTELLECTUAL PROPERTY AGREEMENT\n"
            "This INTELLECTUAL PROPERTY AGREEMENT (this “Agreement”), effective as of December 31, 2017 "
            "(the “Effective Date”), is made by and among Onion Global, Inc., a Delaware corporation "
            "(“Onion”), Parsley IP Holdings, LLC, a Delaware limited liability company (“Parsley IP”) and "
            "Quinoa Brands B.V., a private company with limited liability incorporated in the Netherlands "
            "(“Quinoa” and, together with Onion and Parsley IP, the “Parties”).\n"
            "WHEREAS"
        ),
        ["Onion Global, Inc.", "Parsley IP Holdings, LLC", "Quinoa Brands B.V."],
        "2017-12-31",
        id="Onion Global, Inc.",
    ),
    pytest.param(
        (
            "AMENDED AND RESTATED SERVICING AGREEMENT\n"
            'This Amended and Restated Servicing Agreement (this "Agreement") is dated as of February 5, '
            "2021 and amends and restates that certain Servicing Agreement dated as of July 7, 2018 by and "
            'between RADISH BANK, N.A., a national banking association ("Radish"), and SORREL FINANCIAL '
            'SERVICES, INC., a Utah corporation ("Sorrel").\n'
            "RECITALS"
        ),
        ["RADISH BANK, N.A.", "SORREL FINANCIAL SERVICES, INC."],
        "2021-02-05",
        id="RADISH BANK, N.A.",
    ),
    pytest.param(
        (
            "Consulting Agreement\n"
            "This Consulting Agreement (“Agreement”) is entered into by and between Thyme Corporation, "
            "having its principal place of business at 1 Way (the “Company”) and Ursula Vetch, an "
            "individual with an address at 2 Way (the “Consultant”) as of this 6th day of June, 2016 (the "
            "“Effective Date”).\n"
            "The Company"
        ),
        ["Thyme Corporation", "Ursula Vetch"],
        "2016-06-06",
        id="Thyme Corporation",
    ),
    pytest.param(
        (
            "AFFILIATE AGREEMENT\n"
            'This Affiliate Agreement ("Agreement") by and between Watercress.com, Inc. ("Watercress"), a '
            'Washington corporation and YarrowNet ("Affiliate"), a California general partnership is '
            "effective as of the 15th day of August, 2000.\n"
            "RECITALS"
        ),
        ["Watercress.com, Inc.", "YarrowNet"],
        "2000-08-15",
        id="Watercress.com, Inc.",
    ),
    pytest.param(
        (
            "DEVELOPMENT AGREEMENT\n"
            "THIS AGREEMENT made as of the 10th day of October, 2008.\n"
            "BETWEEN:\n"
            "ABACUS INDUSTRIES LIMITED, a corporation existing under the laws of Ontario\n"
            '(hereinafter called "Abacus")\n'
            "- and -\n"
            "BEZEL INC., a corporation existing under the laws of Canada\n"
            '(hereinafter called "Bezel")\n'
            "WHEREAS"
        ),
        ["ABACUS INDUSTRIES LIMITED", "BEZEL INC."],
        "2008-10-10",
        id="ABACUS INDUSTRIES LIMITED",
    ),
    pytest.param(
        (
            "ENDORSEMENT AGREEMENT\n"
            'This letter agreement sets forth the terms between Cymbal Sports ("Cymbal") and Dulcimer, Inc. '
            'f/s/o Fred Gong ("Athlete") regarding endorsement services.\n'
            "Date: April 30, 2012\n"
            "1. Term"
        ),
        ["Cymbal Sports", "Dulcimer, Inc."],
        "2012-04-30",
        id="Cymbal Sports",
    ),
]


@pytest.mark.parametrize(("text", "names", "date"), PREAMBLES)
def test_parties_and_date(text: str, names: list[str], date: str) -> None:
    found = passages(plain_document([text]))
    assert sorted(p.name.lower() for p in find_parties(found.text)) == sorted(n.lower() for n in names)
    made = agreement_dates(found, preamble(found.text))
    assert (made[0].mention.iso if made else "") == date


def test_a_role_is_the_defined_term_of_its_party() -> None:
    text = (
        'This Agreement is made by and between Acme, Inc., a Delaware corporation ("Supplier"), and Beta '
        'LLC, a limited liability company (the "Buyer") (each a "Party").\nWHEREAS'
    )
    assert [(p.name, p.role) for p in find_parties(text)] == [
        ("Acme, Inc.", "Supplier"),
        ("Beta LLC", "Buyer"),
    ]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ('made on May 1, 2010 and effective as of June 1, 2010 (the "Effective Date")', "2010-06-01"),
        ('made on May 1, 2010.\n1.1 "Effective Date" means July 4, 2010.', "2010-07-04"),
        ("made on May 1, 2010. This Agreement shall commence on August 2, 2010 and continue.", "2010-08-02"),
        (
            "made on May 1, 2010. This Agreement becomes effective on the date first above written.",
            "2010-05-01",
        ),
        ("made on May 1, 2010. The Lease dated June 1, 2009 was filed on July 2, 2010.", ""),
    ],
)
def test_effective_date(text: str, iso: str) -> None:
    text = f"This Agreement is {text} It is between Acme, Inc. and Beta LLC.\nWHEREAS"
    found = passages(plain_document([text]))
    where = preamble(found.text)
    dates = effective_dates(found, where, agreement_dates(found, where))
    assert (dates[0].mention.iso if dates else "") == iso
