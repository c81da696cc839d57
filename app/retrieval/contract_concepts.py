"""What contracts call the things people ask about, by kind of clause."""

from __future__ import annotations

from longleaf.app.retrieval.concept import Concept

CONTRACT_CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "counterparty; signatory; signatories",
        "between among inc corporation company llc hereinafter referred",
        (
            "Who are the contracting parties?",
            "Between which companies was this made?",
            "Who signed it?",
            "Who are the parties to the agreement?",
            "names of the parties",
        ),
        opens=True,
    ),
    Concept(
        "title agreement; title contract; title document; name agreement; name contract; type "
        "contract; type agreement; kind contract; kind agreement; kind document",
        "agreement between entered dated",
        (
            "What is the contract called?",
            "What type of agreement is it?",
            "What is the name of this document?",
            "title of the contract",
            "What sort of deal is this?",
        ),
        opens=True,
    ),
    Concept(
        "date agreement; date contract; date made; signed; execution date; signing date; date sign; "
        "date execute",
        "dated entered made day witness executed",
        (
            "When was the contract signed?",
            "What date does the agreement bear?",
            "When was it concluded?",
            "On which day did the parties execute it?",
            "date of signature",
        ),
        opens=True,
    ),
    Concept(
        "effective date; become effective; take effect; commencement date; start date",
        "effective commence date",
        (
            "When does the contract come into force?",
            "From what date is it effective?",
            "When does it start?",
            "On which day do the obligations begin?",
        ),
        opens=True,
    ),
    Concept(
        "expire; expiration; expiry; initial term; duration; term agreement; term contract; end date",
        "term commence continue period years expire expiration unless terminated",
        (
            "How long does the contract last?",
            "When does the agreement end?",
            "What is the term?",
            "length of the contract",
        ),
        (
            "The term of this Agreement shall commence on the Effective Date and continue for five "
            "years, unless earlier terminated as provided herein.",
        ),
    ),
    Concept(
        "renew; renewal; extend; extension; prolong; prolongation; rollover",
        "renew renewal automatically successive additional term unless notice",
        (
            "Is the term extended automatically?",
            "Can the contract be renewed?",
            "What notice stops it from renewing?",
            "Does it continue for another year unless somebody objects?",
        ),
        (
            "This Agreement shall automatically renew for successive terms of one year unless either "
            "party gives written notice of non-renewal at least sixty days before the end of the "
            "current term.",
            "The Company may extend the term for two additional periods of one year by written notice.",
        ),
    ),
    Concept(
        "law; jurisdiction; court; governing",
        "governed construed accordance laws state jurisdiction conflict",
        (
            "Which country's law applies?",
            "Under which law is the contract interpreted?",
            "In which place are disputes decided?",
        ),
        (
            "This Agreement shall be governed by and construed in accordance with the laws of the "
            "State of New York, without regard to its conflict of laws principles.",
        ),
    ),
    Concept(
        "assign; assignment; assigned; transfer",
        "assign assignment transfer consent successors",
        (
            "Can a party transfer the contract to a third party?",
            "May rights and duties be assigned?",
            "Can somebody else take over the agreement?",
            "May a party be replaced by another company?",
        ),
        (
            "Neither party may assign or transfer this Agreement or any of its rights or obligations "
            "hereunder without the prior written consent of the other party, and any attempted "
            "assignment is void.",
        ),
    ),
    Concept(
        "liability; liable; damages",
        "liable liability event exceed aggregate indirect incidental consequential punitive damages limit",
        (
            "How much can a party be made to pay in damages at most?",
            "Is liability limited?",
            "Which losses are excluded?",
            "For which breaches does the limit of liability not apply?",
        ),
        (
            "In no event shall either party's aggregate liability under this Agreement exceed the "
            "amounts paid in the preceding twelve months.",
            "Except for breach of confidentiality and indemnification, neither party shall be liable "
            "for any indirect, incidental, special, consequential or punitive damages, including lost "
            "profits.",
        ),
    ),
    Concept(
        "terminate; termination; cancel; cancellation; end agreement; quit; walk away; get out; opt out",
        "terminate termination notice cause convenience",
        (
            "Can a party get out of the contract early?",
            "Can it be ended without a reason?",
            "On what grounds can the contract be terminated?",
            "May we stop at any time?",
        ),
        (
            "Either party may terminate this Agreement at any time without cause upon thirty days "
            "prior written notice to the other party.",
            "A party may terminate this Agreement if the other party materially breaches it and does "
            "not cure the breach within thirty days of notice, or becomes insolvent.",
        ),
    ),
    Concept(
        "license; licence; licensed; sublicense; right use; rights use; permission use; allowed use",
        "grants license right royalty sublicense use",
        (
            "What may the licensee use?",
            "What rights of use are granted?",
            "Can the license be sublicensed?",
            "What does one company let the other use?",
            "Is the right to use it limited to one company?",
        ),
        (
            "Licensor hereby grants to Licensee a non-exclusive, non-transferable, worldwide license "
            "to use, reproduce and distribute the Licensed Materials during the term.",
            "Licensee may not sublicense or transfer the license to any third party.",
        ),
    ),
    Concept(
        "audit; inspect; inspection; examine; books; records",
        "audit books records inspect examine accountant",
        (
            "Can a party check the other's books?",
            "Is there a right to inspect records?",
            "May somebody verify the figures that are reported?",
        ),
        (
            "Licensee shall keep complete books and records for three years, and Licensor may have an "
            "independent accountant audit and inspect them upon reasonable notice during business "
            "hours.",
        ),
    ),
    Concept(
        "insurance; insure; insured; insurer",
        "insurance coverage policy insured",
        (
            "What insurance is required?",
            "Who has to insure what?",
            "Which insurance policies must be kept?",
            "required coverage",
        ),
        (
            "Each party shall maintain commercial general liability insurance with limits of at least "
            "$1,000,000 per occurrence and shall name the other as an additional insured.",
        ),
    ),
    Concept(
        "exclusive; exclusivity; only supplier; only one; only ones; sole; nobody else; no one else",
        "exclusive exclusively sole solely only other",
        (
            "Is a party tied to the other alone?",
            "May a party work with others too?",
            "Must everything be bought from one supplier?",
            "Is it forbidden to deal with third parties?",
        ),
        (
            "Supplier hereby appoints Distributor as its sole and exclusive distributor of the "
            "Products in the Territory and shall not sell the Products to any other person there.",
            "Buyer shall purchase all of its requirements of the Product from Seller and shall not "
            "obtain it from any other source.",
            "The Company agrees not to provide or license similar services to any third party.",
        ),
    ),
    Concept(
        "compete; competing; competition; competitor; competitive; rival; restrictive covenant; "
        "non-compete; noncompete",
        "compete competing competitive competitor engage directly indirectly similar",
        (
            "Can a party do business with competitors?",
            "Is a party barred from a competing business?",
            "What kinds of other business remain allowed?",
        ),
        (
            "During the term and for two years thereafter, the Company shall not directly or "
            "indirectly engage in, own or manage any business that competes with the business of the "
            "other party.",
            "Distributor shall not market or sell any products that are competitive with the Products.",
            "Nothing herein prevents a party from owning less than five percent of a public company or "
            "from continuing its existing business.",
        ),
    ),
    Concept(
        "minimum; least; guaranteed",
        "minimum least less purchase quantity order guaranteed annual",
        (
            "What quantity must be purchased at least?",
            "Is there a guaranteed minimum payment?",
            "How many units have to be ordered every year?",
            "sales target",
        ),
        (
            "Distributor shall purchase a minimum of 10,000 units of the Product in each contract "
            "year; if it fails to meet the minimum it shall pay the shortfall.",
            "Licensee shall pay a guaranteed minimum annual royalty of $100,000.",
            "The Company shall spend not less than $500,000 on marketing each year.",
        ),
    ),
    Concept(
        "warranty; warranties; guarantee; defects; defective; faulty",
        "warrants warranty defects period months conform",
        (
            "How long are defects covered?",
            "What guarantees are given for the products?",
            "For how many months are faulty goods repaired or replaced?",
        ),
        (
            "Seller warrants that the Products will be free from defects in material and workmanship "
            "for twelve months from delivery, and will repair or replace defective Products.",
        ),
    ),
    Concept(
        "share revenue; share profit; share income; share proceeds; part income; part revenue; part "
        "profit; cut; split; royalty; royalties; commission; percentage",
        "royalty percent percentage share revenues profits commission",
        (
            "What cut of the proceeds is paid?",
            "Are profits split?",
            "What royalties are due?",
            "Which portion of sales does the other party receive?",
        ),
        (
            "Licensee shall pay Licensor a royalty of five percent of net sales, quarterly.",
            "The parties shall share net revenues from the Service, sixty percent to the Company and "
            "forty percent to the Partner.",
            "The Agent receives a commission of ten percent of the fees collected.",
        ),
    ),
    Concept(
        "control; merger; merge; acquired; taken over; takeover; new owner; sale business; ownership "
        "change; change owner",
        "control merger consolidation acquisition sale substantially assets",
        (
            "What if one of the companies is bought?",
            "What are the consequences of a merger or sale?",
            "What if the shares of a party change hands?",
        ),
        (
            "If a party undergoes a change of control by merger, consolidation or sale of all or "
            "substantially all of its stock or assets, the other party may terminate this Agreement.",
        ),
    ),
    Concept(
        "first refusal; first offer; first negotiation; rofr; rofo; preemptive; pre-emptive; offered "
        "first; option",
        "first refusal offer negotiation option",
        (
            "Does somebody have a right to be asked first?",
            "Is there a preemptive right to buy?",
            "Must it be offered to the other party before anyone else?",
        ),
        (
            "Before offering it to any third party, the Company shall first offer it to the Partner, "
            "who has a right of first refusal for thirty days to match the terms.",
            "The Company grants the Partner an option to acquire rights in additional products.",
        ),
    ),
    Concept(
        "solicit; solicitation; non-solicitation; hire employee; hire staff; hire people; "
        "hire personnel; no-hire; poach; recruit",
        "solicit employ hire induce employees customers",
        (
            "Can a party lure away the other's workers?",
            "May customers be enticed away?",
            "Is it allowed to employ people of the other party?",
        ),
        (
            "Neither party shall solicit for employment, hire or induce to leave any employee of the "
            "other party during the term and for one year thereafter.",
            "The Contractor shall not solicit or divert any customers of the Company.",
        ),
    ),
    Concept(
        "disparage; disparaging; disparagement; reputation; defame; speak badly",
        "disparage derogatory reputation goodwill",
        (
            "May a party say bad things about the other?",
            "Are negative statements forbidden?",
            "Must a party protect the good name of the other?",
        ),
        (
            "Neither party shall make any statement that disparages or is derogatory to the other "
            "party, or do anything that harms its reputation or goodwill.",
        ),
    ),
    Concept(
        "intellectual property; invention; invented; own work; owns; work product; belong; developed",
        "ownership title interest inventions works property belong assigns improvements",
        (
            "Who owns what is created?",
            "Whose property are the results?",
            "Who gets the rights in new developments?",
            "Do the parties own something together?",
        ),
        (
            "All right, title and interest in inventions, works and other intellectual property made "
            "in the course of the services shall belong exclusively to the Company, and the Contractor "
            "hereby assigns them to it.",
            "Intellectual property developed together by the parties shall be jointly owned by them.",
        ),
    ),
    Concept(
        "after termination; after expiration; after end; post-termination; survive; surviving; effects "
        "termination",
        "upon termination expiration cease return survive thereafter following",
        (
            "What happens when the contract has ended?",
            "Which duties outlive the agreement?",
            "What must be given back at the end?",
        ),
        (
            "Upon termination or expiration of this Agreement, the Licensee shall cease all use of the "
            "marks, return all materials and pay all amounts accrued; it may sell remaining inventory "
            "for ninety days.",
            "For a period of two years after termination, these obligations continue and survive.",
        ),
    ),
    Concept(
        "pay; payment; price; fee; invoice; charge",
        "pay payment invoice fee price payable days",
        (
            "How much is charged?",
            "When are invoices due?",
            "Can prices be raised?",
            "What does it cost?",
        ),
        (
            "Buyer shall pay each invoice within thirty days of receipt. Prices are set forth in Exhibit A.",
            "Supplier may increase the prices no more than once a year and by no more than three percent.",
        ),
    ),
    Concept(
        "confidential; confidentiality; secret; secrecy; nda; non-disclosure",
        "confidential information disclose",
        (
            "What must be kept secret?",
            "How is confidential information protected?",
        ),
        (
            "The receiving party shall keep the Confidential Information secret, shall not disclose it "
            "to third parties and shall use it only for the purposes of this Agreement.",
        ),
    ),
    Concept(
        "notice",
        "notice written days prior",
        ("How must notice be given?",),
    ),
    Concept(
        "sue; challenge; contest; dispute validity; dispute rights; attack; no-challenge",
        "challenge contest validity sue claim assist",
        (
            "Has a party promised not to go to court?",
            "May the validity of rights be disputed?",
            "Must a party leave the other's ownership unquestioned?",
        ),
        (
            "Licensee shall not challenge or contest the validity of the marks or the Licensor's "
            "ownership of them, or assist others in doing so.",
            "The Company releases and covenants not to sue the other party.",
        ),
    ),
    Concept(
        "limit use; volume; restriction use; maximum; usage; quantity limit; cap use",
        "exceed maximum additional limit more up",
        (
            "What is the highest permitted amount?",
            "What if usage goes over the limit?",
            "How many users or hours are included?",
        ),
        (
            "If use exceeds the maximum number of users or hours per month, the Customer shall pay an "
            "additional fee for each excess unit.",
            "The services are limited to up to four sessions, each not exceeding two hours.",
        ),
    ),
    Concept(
        "liquidated; early termination; penalty; penalties; termination fee; fixed sum",
        "liquidated damages penalty fee early termination",
        (
            "Is a contractual penalty owed?",
            "What does it cost to end the contract early?",
        ),
        (
            "In the event of early termination the Customer shall pay, as liquidated damages and not "
            "as a penalty, a termination fee of $50,000.",
        ),
    ),
    Concept(
        "third party beneficiary; third party enforce; rights third; outsider",
        "third party beneficiary",
        (
            "Do outsiders have rights under the contract?",
            "Can others than the parties enforce it?",
        ),
        (
            "The affiliates are intended third party beneficiaries of this Agreement and may enforce "
            "it; no other person than the parties has any right under it.",
        ),
    ),
    Concept(
        "perpetual; irrevocable; forever; revoked; taken back",
        "perpetual irrevocable",
        (
            "Is the license for an unlimited time?",
            "Can the license be revoked?",
        ),
        ("Licensor grants a perpetual, irrevocable, fully paid-up license.",),
    ),
    Concept(
        "affiliate; group companies; subsidiary; subsidiaries; sister companies",
        "affiliates subsidiaries",
        (
            "Are subsidiaries covered too?",
            "Are companies of the same group included?",
        ),
        (
            "Licensor, on behalf of itself and its Affiliates, grants to Licensee and its Affiliates "
            "the right to use.",
        ),
    ),
    Concept(
        "source code; escrow",
        "source code escrow deposit release",
        (
            "Is the program's source deposited with an agent?",
            "Do we get the source if the vendor fails?",
        ),
        (
            "Licensor shall deposit the source code with an escrow agent, who releases it to Licensee "
            "if Licensor becomes bankrupt or ceases support.",
        ),
    ),
    Concept(
        "indemnify; indemnity; indemnification; hold harmless",
        "indemnify indemnification hold harmless defend claims",
        ("Who covers third party claims?",),
        (
            "Each party shall indemnify, defend and hold harmless the other from and against any third "
            "party claims, losses and expenses.",
        ),
    ),
    Concept(
        "favored; favoured; mfn; best price; better deal; better terms",
        "most favored favorable terms price customer lower less",
        (
            "Are the best prices guaranteed?",
            "Do we get the same terms as the best customer?",
        ),
        (
            "The prices charged to the Customer shall be no less favorable than those offered to any "
            "other customer; if a lower price is given, the Customer shall receive it.",
        ),
    ),
    Concept(
        "force majeure; act god",
        "force majeure beyond reasonable control delay",
        ("What if events beyond control prevent performance?",),
        (
            "Neither party is liable for delay caused by events beyond its reasonable control, such as "
            "acts of God.",
        ),
    ),
    Concept(
        "arbitration; arbitrate; dispute resolution; mediation",
        "arbitration arbitrator disputes association rules",
        ("How are disagreements settled?",),
        ("Any dispute arising out of this Agreement shall be settled by binding arbitration.",),
    ),
    Concept(
        "unlimited; unrestricted; enterprise-wide",
        "unlimited number users copies enterprise unrestricted without limitation",
        ("Is the right of use without limit in number?",),
        (
            "Licensor grants Licensee an enterprise-wide license for an unlimited number of users, copies "
            "and installations of the Software.",
            "There is no limit on the number of times that the Licensee may reproduce and use the materials.",
        ),
    ),
    Concept(
        "carve-out competition; carve-out exclusivity; exception exclusivity; exception compete; exception "
        "competition; despite exclusivity; exclusivity not apply; exempt competition",
        "except notwithstanding foregoing compete competing exclusive prohibit restrict prevent nothing",
        ("What is a party still allowed to do in spite of the restriction?",),
        (
            "Notwithstanding the foregoing exclusivity, the Company may continue to sell the products to its "
            "existing customers and accept unsolicited orders from outside the Territory.",
            "The restriction does not apply to the ownership of less than five percent of the shares of a "
            "listed company or to businesses that a party carries on at the date of this Agreement.",
            "Nothing in this Section prohibits the Agent from representing other firms whose products do not "
            "compete with the Products.",
        ),
    ),
)
