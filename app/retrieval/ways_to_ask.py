"""Further ways to ask for the concepts of contract_concepts.py and report_concepts.py, in anybody's words.

A question is compared with each of these by meaning, so what counts is that they are unlike each other: a
lawyer's term, an analyst's shorthand, and what somebody asks who knows neither. A concept is known by the
first of the phrases that give it away.
"""

from __future__ import annotations

_CONTRACTS = """
counterparty: Which legal entities are bound? | Who is on the other side? | Identify the companies that made this deal. | names of buyer and seller
title agreement: heading of the document | What sort of paper is it? | caption on the first page | Is this a supply, license or services agreement?
date agreement: When was it executed? | date of signing | What date does the preamble carry? | When did they strike the deal? | day on which it was signed
effective date: From when on does it apply? | When do the obligations begin? | commencement date | When does the term start running? | first day in force | beginning of the contract | starting date of the terms
expire: When is it over? | length of the initial term | How long are we locked in? | end date | Until when does it stay in force? | duration of the first period | how many years does it run
law: choice of law | Which jurisdiction's legislation controls? | legal system that applies to the document | Under whose law would a court read this? | Is it subject to the law of a certain state or country? | whose statutes apply | applicable law
terminate: Can we walk away early? | no-fault exit | Do we need grounds to get out? | cancelled at any time | right to cancel on notice | end it at will
confidential: duty to keep information secret | disclosure of trade secrets
indemnify: Who defends against claims of third parties? | make good the losses of the other | compensation for third party lawsuits
liquidated: Are there penalties for ending early? | Is a lump sum payable on breach? | What must be paid if deadlines are missed? | break-up fee | agreed damages for delay | compensation fixed in advance for default | What happens financially if we cancel before the term is over?
limit use: upper limit on quantity, time or number | What caps apply? | Is usage capped? | How many users are covered before extra fees? | Up to how much can be ordered or used? | maximum number of units or appearances | overage fees | quantity ceilings | how many days a year can services be requested
unlimited: Can we use it without any cap on users? | Is usage unrestricted in number? | May everyone in the company use it? | all you can eat | site licence for the whole enterprise | as many copies as we like
sue: Has anyone agreed not to contest the patents or marks? | May the licensee attack the validity of the trademark? | Is there a waiver of claims against the other? | promise to refrain from legal action | release of claims | acknowledge ownership of the marks and not dispute it | no-contest of title
carve-out: Which carve-outs apply to the exclusivity? | What competing activities are still permitted? | Are there situations in which the restrictive covenant does not bind? | Which existing business can they keep despite exclusivity? | When may a party deal with rivals nonetheless? | What is excluded from the ban on competition?
affiliate: Are patents of the grantor's subsidiaries included? | IP owned by affiliates of the granting party | Do group companies also get the rights? | Can our subsidiaries use it as well? | May sister companies exercise the licence? | Does the grant cover IP held by the licensor's group? | Is technology of the parent company part of the license?
intellectual property: Who will own the deliverables? | assignment of intellectual property | Is the work made for hire? | Does the developer transfer its rights in the results? | Do both sides hold title to joint inventions? | co-owned patents | Who gets the copyright? | Whose are the improvements?
compete: Is somebody barred from offering rival products? | Are there restraints on engaging in a similar business? | May the distributor carry another maker's line? | In which field or area must a party stay out? | restraint of trade | Can they open a similar business nearby?
minimum: How many units must be taken each year? | Do we have a floor on spending? | What sales quota must be hit? | The least amount the buyer has to order | take or pay | purchase commitment | Which volumes were promised? | guaranteed annual royalty
favored: Are we promised the lowest price anyone gets? | If the supplier gives somebody a cheaper rate, do we get it too? | most favoured customer protection | Must pricing be at least as good as for comparable buyers? | price parity | match better terms given to third parties
after termination: What happens after it ends? | Is there a wind-down or transition period? | Must materials be returned at the end? | What are the consequences of termination? | sell off remaining stock | surviving obligations | help with handing over to a successor
audit: Can we look into their books? | How often may the accounts be examined? | Do they have to let our accountants in? | right to verify royalty statements | inspection of premises and records | Who pays if an examination finds underpayment? | How long must records be kept?
insurance: What coverage must be carried? | Who needs liability cover and for what sum? | Is a party obliged to take out a policy? | Do we have to be named as additional insured? | certificate of insurance | minimum policy limits | workers compensation cover
control: What if our counterparty gets acquired? | effects of sale of substantially all assets | Is consent required if a competitor purchases a party? | What if a majority of the stock is sold? | Does an acquisition trigger anything? | new owner of the company | merger with another company
disparage: Are negative public comments forbidden? | Is there a duty not to bring the other into disrepute? | Must the brand's good name be protected from bad remarks? | criticism in public | acts that hurt the image of the brand | embarrassing conduct or scandal
renew: Is there an option to go on after the first period? | Can the term be continued? | How many days before the term ends must we give notice of non-renewal? | When must a party tell the other that it will not extend? | How far in advance do we need to object to an extension? | What lead time is needed to avoid another term? | Does it roll over? | evergreen | Are there extension options and how long are they? | what follows when the first term is up
warranty: Until when can defects be reported? | How long does the seller stand behind the product? | duration of product warranty | Will faulty work be fixed for free? | guarantee period
exclusive: Has a party promised not to use anyone else? | giving up the freedom to choose other suppliers | Is it sole and exclusive? | Can the other side appoint additional distributors? | Are requirements to be bought from one supplier alone? | In which territory does somebody have exclusive rights? | Must we source only from them? | Are they free to work with others in the same field?
solicit: Can they go after our clients? | May a party divert business from the other's accounts? | Are we protected against customer poaching? | ban on approaching customers | Could we recruit one of their engineers? | offering jobs to the other's personnel | contacting the other's clients directly
perpetual: Can the licence be withdrawn? | Does the right to use last forever? | Is the licence indefinite in time? | Could the licensor ever take the rights back? | Do we keep the rights after the contract ends?
license: What may the licensee do with the trademarks? | Which usage rights are conferred? | Can we sublicense? | May the usage right be handed to another company? | use of the software, content or brand | Is the licence personal?
share revenue: How are the proceeds divided? | What commission does the agent earn? | Which percentage of net sales is owed? | What cut do they take? | How much of the income has to be handed over? | royalty rate
pay: By how much can they put prices up? | Are price adjustments tied to an index? | When may fees be changed? | What ceiling is there on annual increases? | Is the price fixed?
first refusal: Who gets first bite if the asset is sold? | Must new products be presented to the partner before others? | Do they have to come to us first? | matching a bona fide offer | pre-emption
liability: How much could we be sued for at most? | Are indirect losses excluded? | What is carved out of the liability limit? | For which claims is there no ceiling? | maximum exposure under the contract | Can lost profits be claimed?
assign: Is the agreement transferable? | Can rights and duties be delegated? | May they substitute another company in their place? | Can we pass our position on to a successor? | Who has to approve a transfer?
source code: Is the source code held by a third party? | What if the vendor goes bankrupt, do we get the code? | software deposit
third party beneficiary: Do outsiders get enforceable rights? | Who else besides those who signed can rely on this? | Are affiliates intended to benefit? | Does it benefit someone who did not sign?
"""
_REPORTS = """
income statement: What was the top line? | How much did it sell? | What did the company earn? | bottom line | operating profit as a share of sales | how did net earnings change year over year | growth of revenue compared with last year | cost of goods sold as percent of sales | interest expense | EBIT | selling, general and administrative costs | What drove the change in operating margin?
gross margin: gross profit percentage | How much is left of each dollar of sales after making the goods? | profit before overhead | Is the gross margin improving?
balance sheet: How much cash is on hand? | total debt at year end | What is the equity worth? | working capital position | current ratio | receivables and inventory | net property, plant and equipment | Is the company liquid? | leverage | largest liability | total assets | unpaid bills owed to vendors
cash flow: How much cash did operations generate? | free cash flow | capital spending | What was spent on property, plant and equipment? | money returned to shareholders | where did the cash go | depreciation and amortization for the year
segment: Which part of the business grew fastest? | results by business line | which unit earns the most | revenue by segment | Which division dragged on growth? | smallest segment by sales
tax rate: How much of its profit is paid in taxes? | Why did the tax rate change? | effective rate of taxation
geography: Where does it sell? | sales by country | US versus foreign revenue | domestic and international growth
legal: Is anybody suing it? | pending court cases | claims and contingencies | material litigation
acquisition: Whom did it buy? | deals and takeovers closed | purchase price of the business bought | mergers during the year
restructuring: charges for reorganizing | cost cutting program | severance costs | plant closures
guidance: What does it expect for the coming year? | full-year targets | raised or lowered outlook | forecast earnings per share | why was the forecast changed
securities registered: which securities trade on an exchange | listed notes and shares | trading symbols of registered debt
derivative: hedging of currencies and interest | notional amount of swaps
pension: payments to retirees | funded status of pension plans | future benefit payments
capital intensive: Is it an asset-heavy business? | much fixed capital compared with sales
dividend: payout to shareholders | quarterly dividend per share | Has it raised its dividend?
accounts payable: time to pay suppliers | days payable outstanding | supplier credit
adjusted: figures without one-off items | organic growth | results in constant currency | reconciliation to GAAP | adjusted EBITDA
retention: Do customers stay? | attrition of members | renewal rate
risk: What could go wrong? | main threats to the business
employees: size of the workforce | how many staff are unionized | number of people employed
auditor: Who signed off the accounts? | opinion on internal controls
customers: dependence on few buyers | share of sales from the biggest customers
covenant: when does the debt come due | revolving credit line available | loan terms and financial covenants | bonds outstanding
repurchase: shares bought back | remaining buyback authorization
properties: where are the plants | how many stores are open | head office location
goodwill: write-downs | did any impairment hit earnings | goodwill by unit
intangible: value of brands and patents | amortization of acquired intangibles
lease: rent obligations | right-of-use assets
stock-based compensation: cost of equity awards | options and restricted stock granted
revenue recognition: how are sales booked | unearned revenue
competition: Whom does it compete with? | rivals in the market
raw materials: key inputs and their prices | dependence on vendors
research development: R&D budget | money spent on innovation
seasonal: busiest quarter | unfilled orders
executive officers: Who runs the company? | members of the management
earnings per share: profit per share | diluted EPS
shares outstanding: number of shares | market value held by outsiders
climate: carbon footprint | green targets
cybersecurity: hacker attacks | protection of data
capital ratio: regulatory capital of the bank | CET1
products: what does it make | main brands and services | which industry is it in
liquidity: sources of funding | is there enough money for the next year
"""


def _table(listed: str) -> dict[str, tuple[str, ...]]:
    rows = (line.split(": ", 1) for line in listed.strip().splitlines())
    return {concept: tuple(way.strip() for way in ways.split(" | ")) for concept, ways in rows}


CONTRACT_WAYS = _table(_CONTRACTS)
REPORT_WAYS = _table(_REPORTS)
