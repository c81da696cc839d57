"""How people put things, and the words contracts and reports have for them.

Each entry: phrases of a question, parted by commas, and the words of which a passage on it has at least one.
A phrase matches where its words stand in the question in this order, at most two others between them. Where
those words are common ones, a third text has the few without one of which nothing answers.
"""

from __future__ import annotations

CONTRACT_WORDINGS: tuple[tuple[str, ...], ...] = (
    (
        (
            "walk, walk away, get out, way out, quit, leave, left, pull out, back out, bail out, "
            "exit, end, ended, ending, ends, drop, ditch, kick out, throw out, cancel, terminate, "
            "termination, stop, opt out, let go, sent away, send away, call off, called off, break "
            "off, sever ties, out of the contract, out of the deal, fire, dismiss, sack, pull the "
            "plug, let out, come to an end, cut short, over"
        ),
        (
            "terminate, termination, terminable, cancel, cancellation, expire, expiration, end, ends, "
            "dissolve, withdraw"
        ),
        ("terminate, termination, terminable, cancel, cancellation, expire, withdraw, dissolve, end, ends"),
    ),
    (
        (
            "without reason, no reason, without a reason, just because, feel like, own accord, "
            "convenience, without cause, simply, for any reason, done anything wrong, nothing wrong, "
            "nobody breaches, no fault, at will, whim, change of heart, need a reason, change its "
            "mind"
        ),
        (
            "without cause, convenience, any time, any reason, no reason, either party may terminate, "
            "sole discretion, prior written notice, written notice, at will"
        ),
        (
            "without cause, convenience, any time, any reason, no reason, either party may terminate, "
            "sole discretion, at will, years written notice, days written notice, months written "
            "notice, prior written notice, good reason"
        ),
    ),
    (
        (
            "immediately, at once, right away, straight away, no waiting, without delay, instantly, "
            "on the spot, overnight, no notice"
        ),
        "immediate, immediately, forthwith, automatically, upon notice, promptly",
    ),
    (
        (
            "bankrupt, bankruptcy, insolvent, insolvency, goes under, goes bust, bust, runs out of "
            "money, receiver, liquidation, administration, broke, creditors"
        ),
        (
            "bankrupt, bankruptcy, insolvent, insolvency, receiver, creditors, liquidation, winding "
            "up, reorganization, trustee"
        ),
    ),
    (
        (
            "put right, put it right, put things right, mend, fix a breach, cure, remedy a breach, "
            "time to fix, make good, grace period, second chance, sort it out"
        ),
        "cure, cured, remedy, remedied, correct, rectify, rectified",
    ),
    (
        (
            "breach, breaks the contract, violates, default, does not keep, fails to perform, "
            "misbehaves, does something wrong, in breach"
        ),
        "breach, default, fail, fails, failure, violation, violate",
    ),
    (
        (
            "is bought, gets bought, being bought, bought by, bought up, buyer of, taken over, "
            "takeover, changes hands, change of control, control of, new owner, is sold, gets sold, "
            "sold to, acquired, being acquired, acquires, merges, merger, merged, passes to, sell the "
            "business, sale of the business, swallowed"
        ),
        (
            "control, merger, merge, merged, acquire, acquires, acquisition, consolidation, sale of, "
            "successor, purchaser, substantially all"
        ),
        (
            "control, merger, merge, merged, acquire, acquires, acquisition, consolidation, sale of "
            "all, successor, purchaser, substantially all"
        ),
    ),
    (
        (
            "hand over, pass on, transfer, assign, assignment, assigned, move the contract, give to "
            "someone else, somebody else step in, novate, novation, third party take over, delegate, "
            "step into the shoes"
        ),
        (
            "assign, assigns, assigned, assignment, assignable, transfer, transferred, transferable, "
            "delegate, successors"
        ),
    ),
    (
        "mortgage, pledge, charge the assets, collateral, lien, security over",
        (
            "mortgage, pledge, pledged, lien, encumber, encumbrance, security interest, collateral, "
            "hypothecate, guarantee"
        ),
    ),
    (
        "dispose, disposal, sell off, get rid",
        "dispose, disposal, disposition, sell, sale, transfer",
    ),
    (
        ("subcontract, subcontractor, outsource, farm out, sub-licence, sublicense, sub-license, sublicence"),
        "subcontract, subcontractor, sublicense, sublicensed, sub license, delegate",
    ),
    (
        (
            "when it is over, after the end, once it ends, afterwards, at the end, is over, when the "
            "contract ends, after leaving, post termination, survive, winds up, ends, after expiry, "
            "when he stops, after the deal"
        ),
        (
            "upon termination, upon expiration, after termination, following termination, termination "
            "or expiration, expiration or termination, survive, thereafter, cease, after the "
            "termination"
        ),
    ),
    (
        "give back, hand back, return, returned, bring back",
        "return, returned, surrender, destroy, deliver up, redeliver",
    ),
    (
        (
            "how long, duration, last, lasts, run, runs, run out, runs out, term, initial term, "
            "engaged, how many years, first term, expire, expires"
        ),
        (
            "term, period, commence, continue, expire, expires, expiration, years, months, initial "
            "term, in effect, full force"
        ),
    ),
    (
        (
            "renew, renews, renewal, roll over, rolls over, prolonged, prolong, extend, extended, "
            "extension, go on, going on, another period, carry on, continue, evergreen, another year, "
            "keep going"
        ),
        "renew, renewed, renewal, renewable, extend, extended, extension, successive, additional",
    ),
    (
        ("warning, notice, advance notice, how far ahead, heads-up, tell in advance, announce, announced"),
        "notice, notify, notified, prior, advance, inform, notification",
    ),
    (
        "start, starts, begin, begins, kick off, go live, effective, launch",
        "commence, commencement, effective, begin, start, launch",
    ),
    (
        (
            "pay, pays, paid, payment, payable, price, cost, costs, fee, fees, charge, charges, "
            "charged, money, cash, amount, remuneration, salary, compensation, rate, retainer, put "
            "in, price tag, bill, earn, earns, given, worth, sum, transferred, in his account, wages"
        ),
        (
            "pay, pays, paid, payable, payment, price, prices, fee, fees, cost, costs, charge, "
            "charges, compensation, amount, sum, royalty, commission, remuneration, salary, "
            "consideration, rate, rates, invoice, contribute, contribution, bonus"
        ),
    ),
    (
        (
            "late, overdue, unpaid, pays late, late fee, late charge, default interest, interest, "
            "past due, not paid on time, behind"
        ),
        (
            "late, overdue, interest, past due, delinquent, unpaid, arrears, penalty, not paid, fails "
            "to pay, failure to pay, when due, late fee, fails to make payment"
        ),
        "interest, late, overdue, past due, delinquent, arrears, penalty, late fee, unpaid",
    ),
    (
        "does not pay, stops paying, not pay, fails to pay, non-payment, withholds money",
        (
            "fails to pay, failure to pay, fails to make, non payment, not paid, unpaid, overdue, pay "
            "any amounts, make full and prompt payment"
        ),
    ),
    (
        "travel costs, travel, flight, expenses, out of pocket, expense claims, hotel, fly, trips",
        ("expense, expenses, travel, reimburse, reimbursed, reimbursement, out of pocket, hotel, air, class"),
    ),
    (
        "reimburse, refund, money back, repaid, get back, give the money back, recover",
        "reimburse, reimbursed, reimbursement, refund, refunded, return, repay, repaid, credit",
    ),
    (
        "instalment, installment, tranche, instalments, schedule of payments, stages",
        "installment, installments, due, schedule, payable, upon, within",
    ),
    (
        "tax, taxes, vat, withholding",
        "tax, taxes, withholding, duties, vat",
    ),
    (
        (
            "ceiling, cap, capped, limit, limits, limited, maximum, at most, upper limit, top, "
            "highest, cap on damages, no more than"
        ),
        (
            "exceed, exceeding, limit, limits, limited, limitation, maximum, cap, aggregate, not more "
            "than, up to, no more than, no event"
        ),
        (
            "exceed, exceeding, limit, limits, limited, limitation, maximum, cap, not more than, no "
            "more than, up to, no event"
        ),
    ),
    (
        "liability, liable, damages, compensation for loss, sue for, on the hook",
        "liability, liable, damages, losses",
    ),
    (
        "lost profits, consequential, indirect, loss of profit",
        ("consequential, indirect, incidental, lost profits, punitive, special, prospective profits"),
    ),
    (
        (
            "minimum, at least, at the least, guaranteed, guarantee, floor, quota, target, targets, "
            "sales targets, must buy, must take, have to be taken, fewer, expected"
        ),
        (
            "minimum, least, not less than, guarantee, guaranteed, target, targets, quota, quantity, "
            "quantities, commitment, expectation, expectations, no less"
        ),
        (
            "minimum, least, not less than, guarantee, guaranteed, target, targets, quota, "
            "expectation, no less"
        ),
    ),
    (
        "bonus, reward, incentive, extra for",
        "bonus, incentive, additional, reward, warrant",
    ),
    (
        (
            "penalty, penalties, fine, liquidated damages, fee to leave, leave on shorter notice, "
            "early termination fee, severance, what does it cost to leave"
        ),
        "penalty, liquidated, termination fee, fee, severance, lump sum, damages",
        "penalty, liquidated, termination fee, severance, lump sum, fee",
    ),
    (
        (
            "share of, cut, split, percentage, royalty, royalties, commission, profit share, slice, "
            "take of revenue"
        ),
        (
            "royalty, royalties, percent, percentage, share, commission, net sales, revenue, "
            "revenues, profits, development fee, development fees"
        ),
    ),
    (
        (
            "raise prices, raise its prices, price increase, adapt the price, adapted, inflation, "
            "price go up, price change, change the fee, adjust, dearer"
        ),
        "adjust, adjustment, adjusted, increase, increased, price index, inflation, change",
    ),
    (
        "currency, currencies, dollars, euro",
        "currency, dollars, dollar, canadian, won, euro, rmb, usd",
    ),
    (
        "invoice, invoices, bill, billing, settled",
        "invoice, invoices, invoiced, bill, billing, statement",
    ),
    (
        "payment terms, terms of payment, credit, days of credit",
        "pay, payment, invoice, days, net, prepay",
    ),
    (
        "insurance, insure, insured, insurance cover, cover must, policy limits, underwriter",
        "insurance, insured, insure, policy, insurer, coverage",
        "insurance, insured, insure, insurer",
    ),
    (
        (
            "indemnify, indemnity, indemnities, indemnifies, cover for claims, covers whom, hold "
            "harmless, third-party claims, protect against claims"
        ),
        "indemnify, indemnifies, indemnity, indemnification, hold harmless, harmless, defend",
    ),
    (
        "covers claims, covers whom, who covers",
        "indemnify, harmless, responsible",
    ),
    (
        (
            "warranty, warranted, guaranteed against, guarantee against, faults, defects, defect, "
            "faulty, defective, does not work, off-spec, not meet the warranty, quality problem"
        ),
        (
            "warrant, warrants, warranty, warranties, defect, defects, defective, nonconforming, "
            "conform, workmanship, specifications"
        ),
    ),
    (
        "repair, fix, fix bugs, replace, put right defects",
        "repair, repairs, replace, replacement, correct, fix, refund, substitute, error, errors",
    ),
    (
        (
            "secret, secrets, secrecy, confidential, confidentiality, disclose, disclosed, nda, keep "
            "quiet, leak, kept secret"
        ),
        ("confidential, confidentiality, disclose, disclosure, secret, secrets, non disclosure, proprietary"),
    ),
    (
        (
            "inspect, look into, look at, walk through, audit, audits, audited, check the books, "
            "books, look into the accounts, see its files, records, verify, open the books, examine, "
            "keep records"
        ),
        "inspect, inspection, audit, audits, auditors, examine, books, records, access, visit",
        "inspect, inspection, audit, audits, auditors, examine, books, records, access",
    ),
    (
        (
            "compete, competing, competitor, competitors, rival, rivals, competing business, "
            "non-compete, barred from, carry a rival, similar products"
        ),
        (
            "compete, competes, competing, competition, competitive, competitor, competitors, "
            "similar, other products, non competition"
        ),
    ),
    (
        (
            "exclusive, exclusivity, exclusively, alone, only one, sole, tied to, somebody else, "
            "someone else, others as well, anyone else, work with others, another company, other "
            "promoters, same sort, elsewhere"
        ),
        (
            "exclusive, exclusively, exclusivity, nonexclusive, non exclusive, sole, solely, only, "
            "other, others, third party, any other, free to"
        ),
        (
            "exclusive, exclusively, exclusivity, nonexclusive, non exclusive, sole, solely, other, "
            "others, free to"
        ),
    ),
    (
        "poach, solicit, hire away, lure, steal staff, employ people of, take employees",
        "solicit, solicitation, hire, employ, induce, recruit",
        "solicit, solicitation, hire, induce, recruit",
    ),
    (
        (
            "own, owns, owner, belongs, belong, property of, ownership, title, who gets the rights, "
            "intellectual property, keep the rights, ip"
        ),
        (
            "own, owns, owned, owner, ownership, property, title, belong, belongs, right title and "
            "interest, rights, retain, retains"
        ),
        "own, owns, owned, owner, ownership, property, title, belong, belongs, retain, retains",
    ),
    (
        "invention, inventions, improvements, upgrades, develops, developed, results",
        (
            "invention, inventions, improvement, improvements, upgrades, developed, derivative, "
            "modifications, discoveries, work product"
        ),
    ),
    (
        ("question title, dispute ownership, dispute who owns, challenge, contest, questioning, attack"),
        "challenge, contest, dispute, question, query, impair, validity",
        "challenge, contest, query, impair, validity",
    ),
    (
        ("logo, logos, brand, brands, trademark, trademarks, mark, marks, trade name, name and image"),
        ("mark, marks, trademark, trademarks, logo, logos, trade name, trade names, brand, name, names"),
    ),
    (
        "picture, pictures, photo, photos, image, likeness, face",
        ("likeness, image, photograph, photographs, picture, pictures, name, photographic, property"),
    ),
    (
        "press release, publicity, announce the deal, go public, public statement, press",
        "press, publicity, public, announcement, release, releases, publish, news",
        "press, publicity, public announcement, announcement, news",
    ),
    (
        "badmouth, disparage, speak badly, criticise, run down, say bad things",
        "disparage, disparaging, derogatory, reputation, goodwill",
    ),
    (
        ("scandal, morals, felony, crime, convicted, arrested, disgrace, immoral, bad behaviour, drugs"),
        (
            "moral, morals, immoral, felony, crime, criminal, convicted, conviction, disrepute, "
            "scandal, illegal, drugs, conduct"
        ),
        (
            "moral, morals, immoral, felony, crime, criminal, convicted, conviction, disrepute, "
            "scandal, turpitude"
        ),
    ),
    (
        "reputation, image suffers, goodwill",
        "reputation, good will, goodwill",
    ),
    (
        "dies, death, dead, passes away",
        "death, dies, die, deceased",
    ),
    (
        "ill, illness, disabled, disability, sick, injured",
        "disability, disabled, illness, injury, incapacity, incapacitated",
    ),
    (
        "heirs, estate, next of kin",
        "heirs, legal representatives, estate, executors, next of kin",
    ),
    (
        (
            "quarrel, dispute, disputes, disagree, disagreement, arguments, argue, conflict resolved, "
            "resolved, settled, falling out, mediation, arbitrator, arbitration"
        ),
        (
            "dispute, disputes, arbitration, arbitrator, mediation, disagreement, controversy, claim, "
            "settle, settled, resolved, resolve"
        ),
    ),
    (
        "court, courts, jurisdiction, venue, where can we sue, hears",
        "court, courts, jurisdiction, venue, forum",
    ),
    (
        "law applies, governing law, whose law, which law, law governs, governed, state's law",
        "governed, laws of, construed, governing law",
        "governed, governing law, govern, construed, interpreted",
    ),
    (
        (
            "strike, storm, hurricane, flood, war, fighting, earthquake, act of god, force majeure, "
            "disaster, pandemic, bad weather, beyond control, hostilities"
        ),
        (
            "force majeure, acts of god, act of god, strike, strikes, war, flood, beyond, "
            "hostilities, weather, riot, fire"
        ),
    ),
    (
        "bribe, bribes, bribery, corruption, anti-corruption, anti-bribery, kickback, fcpa",
        (
            "bribery, corruption, corrupt, fcpa, government official, foreign corrupt practices, "
            "anything of value, improper"
        ),
    ),
    (
        "law-abiding, comply with the law, compliance, regulations, legal requirements",
        "comply, compliance, laws, regulations, applicable law",
    ),
    (
        "permit, permits, licence to operate, approvals, regulator, authorities",
        (
            "permit, permits, license, licenses, approval, approvals, governmental, regulatory, "
            "authority, authorities"
        ),
    ),
    (
        "escrow, source code, source",
        "escrow, source code",
    ),
    (
        (
            "service level, service levels, service credits, uptime, response time, availability, "
            "response times, sla"
        ),
        (
            "service level, service levels, uptime, availability, response, respond, credits, credit, "
            "performance standard"
        ),
        (
            "service level, service levels, uptime, availability, respond, credits, performance "
            "standard, response time"
        ),
    ),
    (
        "answer a call, answer a phone, respond, respond to, react, hotline, phone call",
        "respond, response, telephone, call, calls, answer, hours, minutes",
    ),
    (
        "train, training, teach, instruct",
        "train, training, instruct, instruction, trained",
    ),
    (
        "support, technical support, help desk, maintenance, maintain",
        "support, maintenance, maintain, assistance, technical, service",
    ),
    (
        "report, reports, statement, statements, accounting, keep informed, tell",
        "report, reports, statement, statements, accounting, inform, written report",
    ),
    (
        "meet, meetings, sit down, get together, board meeting, conference",
        "meet, meeting, meetings, review, confer, conference",
    ),
    (
        (
            "deliver, delivery, delivers, ship, shipment, shipping, bring the goods, bring, brings, "
            "transport, send over, delivery terms, handed over, goods come"
        ),
        (
            "deliver, delivered, delivery, ship, shipped, shipment, shipping, transport, fob, ddp, "
            "incoterms, exw, pick up, freight, carrier, furnish"
        ),
    ),
    (
        "risk of loss, title passes, risk pass",
        "risk of loss, title, pass, passes, risk",
    ),
    (
        "order, orders, purchase order, forecast, forecasts",
        "order, orders, purchase order, purchase orders, forecast, forecasts, firm order",
    ),
    (
        "reject, turn down, turned down, refuse, refuses, refused, accept goods, acceptance",
        ("reject, rejection, refuse, accept, acceptance, disapprove, disapproved, not required, approval"),
    ),
    (
        "short, shortage, missing goods, wrong quantity, damaged goods",
        "deficient, deficiency, shortage, quantity, discrepancy, damaged, missing",
    ),
    (
        "stock, unsold stock, leftover, inventory, take back, buy back, buys back",
        "repurchase, inventory, stock, buyback, buy back, unsold, remaining, return",
    ),
    (
        "option, option to buy, first refusal, first right, right of first offer, pre-emption",
        "option, first refusal, first offer, first negotiation, right of first, purchase",
        "option, first refusal, first offer, first negotiation, right of first",
    ),
    (
        (
            "permission, consent, approval, need to ask, allowed, okay from, sign-off, green light, "
            "let, approve, approved, without asking"
        ),
        "consent, approval, approve, approved, permission, authorization, authorized, disapproved",
    ),
    (
        (
            "abroad, outside the country, export, overseas, territory, area, sell abroad, outside its "
            "area, region, which area, where may"
        ),
        "territory, export, outside, worldwide, country, countries, geographic, united states",
    ),
    (
        "employee, employees, staff, workers, people, personnel",
        "employee, employees, staff, personnel, worker",
        "employee, employees, staff, personnel",
    ),
    (
        (
            "independent contractor, employed, is he an employee, partners, joint venture, agency, "
            "agent, agents, act as"
        ),
        (
            "independent contractor, independent contractors, employee, partner, partners, joint "
            "venture, agent, agency, partnership, authority"
        ),
    ),
    (
        "change the contract, amend, amendment, vary, modify, alter",
        ("amend, amended, amendment, modify, modified, modification, alteration, supplement, writing"),
    ),
    (
        "outsiders, third parties rely, third party rights, not a party",
        "third party, beneficiary, beneficiaries, other than the parties",
    ),
    (
        "shares, stock, equity, warrant, warrants, options",
        "shares, stock, share, equity, warrant, warrants, options, common stock",
    ),
    (
        "board, directors, who appoints, management committee, vote",
        "board, directors, director, appoint, appointed, designate, committee, vote, majority",
        "board, directors, director, committee",
    ),
    (
        "put in capital, contribute, contribution, funding, finance, put up",
        ("contribute, contribution, contributions, capital, fund, funding, finance, invest, provide"),
    ),
    (
        "profits are divided, divided, distribute profit, distributions",
        "distribution, distributions, distribute, share, profits, net profits, divided",
    ),
    (
        "vacation, holiday, paid leave",
        "vacation, holiday, leave",
    ),
    (
        "infringe, infringes, infringement, infringer, infringers, copies, copycat, piracy",
        "infringe, infringement, infringes, infringing, infringed",
    ),
    (
        "sue, lawsuit, take action, go to court, chase",
        "action, suit, lawsuit, litigation, legal action, proceedings, pursue, claim, enforce",
    ),
    (
        "samples, sample, specimens",
        "sample, samples",
    ),
    (
        "appearance, appearances, shooting, photo shoot, session, shoot",
        "appearance, appearances, session, sessions, photographic, commercial, commercials, day",
    ),
    (
        "wear, outfit, clothing, apparel",
        "wear, apparel, clothing, clothes",
    ),
    (
        "mailed notice, letter, registered mail, notice arrive, served, count as received",
        "mail, mailed, mailing, deemed, receipt, served, delivered",
    ),
    (
        "excluded, not covered, except, exception, exceptions",
        ("not include, exclude, excludes, excluded, except, not apply, other than, exception, not cover"),
    ),
    (
        "privilege, benefits, what do we get, get in return, entitlement",
        "entitled, receive, right, rights, benefit, benefits",
    ),
    (
        (
            "promise, promised, undertake, undertaken, obligations, duties, duty, have to do, "
            "responsible, in charge, must do"
        ),
        ("shall, agrees, responsible, responsibility, obligation, obligations, undertake, must, will"),
    ),
    (
        "prevail, prevails, precedence, conflict between",
        "prevail, prevails, precedence, control, controls, governs",
    ),
    (
        "language, language version, translation, translated",
        "language, english, chinese, translation, version",
        "language, translation",
    ),
    (
        "performance bond, bond",
        "bond, surety",
    ),
    (
        "rent, tenant, lease",
        "rent, lease, tenant",
    ),
)

REPORT_WORDINGS: tuple[tuple[str, ...], ...] = (
    (
        "headcount, how many people work, employees, workforce, staff",
        "employees, employee, workforce, headcount, full time equivalent, associates",
    ),
    (
        ("guidance, expect, expects, outlook, forecast, full year, expected, next year, looking ahead"),
        "expect, expects, expected, guidance, outlook, anticipate, forecast, full year",
    ),
    (
        "capex, capital spending, capital expenditure",
        "capital expenditures, capital expenditure, additions to property",
    ),
    (
        "behind, why, reason, cause, what drove, because, explain, explains, driven, push, pushed",
        "due to, driven, primarily, reflecting, result, because, attributable, offset, impact",
    ),
    (
        "debt, borrowings, loans, notes outstanding",
        "debt, borrowings, notes, loans, indebtedness, credit facility",
    ),
    (
        "covenant, covenants, debt limits",
        "covenant, covenants, leverage ratio, ratio, indebtedness",
    ),
    (
        "dividend, dividends",
        "dividend, dividends",
    ),
    (
        "buyback, repurchase, buy back shares",
        "repurchase, repurchased, repurchases",
    ),
    (
        "lawsuit, lawsuits, legal proceedings, litigation",
        "litigation, legal proceedings, lawsuit, lawsuits, plaintiffs, settlement, claims",
    ),
    (
        "auditor, auditors, audit firm",
        "accounting firm, auditor, auditors",
    ),
    (
        (
            "accounting policy, account for, accounts for, recognise, recognize, recognised, booked, "
            "carry, carried"
        ),
        "recognize, recognized, recorded, carried, stated, measured, accounted, accounting policy",
    ),
    (
        "write off, write-off, impairment, impaired, writedown",
        "impairment, impaired, write off, written down",
    ),
    (
        "segment, segments, divisions, business units",
        "segment, segments, reportable",
    ),
    (
        "competition, competitors",
        "competition, competitors, compete",
    ),
    (
        "customers, clients, biggest customer",
        "customer, customers, client",
    ),
    (
        "jump, jumped, rose, rise, go up, went up, increase, higher, grew, growth",
        "increase, increased, higher, grew, growth, rise, rose, up",
    ),
    (
        "fell, fall, drop, dropped, decline, declined, lower, went down, shrank",
        "decrease, decreased, decline, declined, lower, fell, down",
    ),
)
