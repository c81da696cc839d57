"""The words of the sample annual report. The company, its people and its places are invented."""

from __future__ import annotations

COMPANY = "Tamsen Valley Instruments, Inc."

LETTER = (
    "To our shareholders",
    "Instruments are bought by people who have been let down by a number. A brewer who trusted a meter that drifted, a "
    "hospital laboratory that had to repeat a day of tests, a utility that learned of a failing line from its customers: "
    "they come to us because they want a reading that they do not have to doubt. In 2025 more of them came than ever before.",
    "Revenue rose {growth} to {revenue}. Net income was {net}, and diluted earnings per share rose from {eps_before} to {eps}. "
    "We turned {ocf} of cash from operations into {capex} of new plant, paid back {repaid} of debt, and returned {returned} "
    "to you through dividends and repurchases. We ended the year with {cash} in cash and cash equivalents.",
    "The year was not even. Grid Sensing grew by {grid_growth}, faster than we could build at times, because utilities in "
    "three countries began to replace inspection on foot by sensors that report by themselves. Flow Measurement did what it "
    "does in most years: it grew a little faster than its market and earned more on each dollar. Laboratory Systems shrank. "
    "Research budgets at universities were cut in the spring, and orders for large analyzers, which are the first to be put "
    "off, fell. We did not cut our own research there, because the instruments that will sell in 2028 are being drawn now.",
    "Three decisions of the year deserve a word. We opened the second hall of our sensor plant in Tallis Ferry four months "
    "early. We closed the small assembly shop in Brandle, at a cost of {restructuring}, and offered each of its 64 people a place "
    "elsewhere; 51 accepted. And we moved the contracts of our service engineers from hours to uptime: a customer now "
    "pays for an instrument that works, not for our visits to it.",
    "What went wrong also belongs in a letter like this. A batch of pressure cells from a supplier was out of tolerance, and "
    "we found it only after 212 meters had been shipped. We replaced every one of them, told each customer why, and now test "
    "each batch at our own door. The cost is small and is in our warranty note; the lesson is not small.",
    "For 2026 we expect growth to go on, led again by Grid Sensing, with Laboratory Systems steady rather than growing. The "
    "section headed Outlook for 2026 gives our ranges and what they rest on. We would rather give you a wide range that holds "
    "than a narrow one that does not.",
    "I thank the 4,870 people of Tamsen Valley, our customers, who write to us when something is not right, and you, who "
    "allow us to think in years.",
    "Maren Holloway",
    "Chief Executive Officer, February 20, 2026",
)

FORWARD_LOOKING = (
    "This report contains statements about the future: on revenue, margins, earnings, capital expenditure, demand, product "
    "introductions, taxes and the outcome of claims. Words such as expect, plan, aim, intend and outlook mark them. They rest "
    "on what we knew and assumed on February 20, 2026, and they are subject to the risks described under Risk Factors.",
    "Actual results may differ in important ways. We do not undertake to revise such statements later unless the law "
    "requires it. Statements by third parties on the size of markets are given as they were published; we have not checked them.",
    "Amounts in this report are in United States dollars. Amounts in tables are in thousands unless the table says otherwise, "
    "negative amounts stand in parentheses, and a dash means zero. Percentages are computed from unrounded amounts. Our fiscal "
    "year is the calendar year.",
)

OVERVIEW = (
    "Tamsen Valley Instruments designs, makes and services instruments that measure the flow of liquids and gases, the "
    "composition of samples, and the state of electric power lines. We were founded in 1958 in the Tamsen Valley of Vermont by two "
    "hydrologists who could not buy the meter they needed. We now serve about 21,000 customers in 74 countries.",
    "Our instruments have three things in common. They are calibrated against standards that we maintain ourselves; they "
    "keep a record of their own health; and they are repaired rather than replaced. The average flow meter that we sold "
    "twenty years ago is still in use.",
    "We report four segments. Flow Measurement, Laboratory Systems and Grid Sensing sell instruments and the software in them. "
    "Services calibrates, repairs and monitors the instruments of all three, and those of some competitors.",
    "We sell through our own sales force in North America and most of Europe and through 63 distributors elsewhere. No customer "
    "accounted for more than six percent of revenue in 2025. Orders for instruments are usually shipped within nine weeks; "
    "orders for grid systems are delivered over one to three years.",
    "On December 31, 2025 our backlog was $412.6 million, of which we expect to deliver about three quarters in 2026. A year "
    "earlier it was $356.9 million. Orders in the backlog can be cancelled, usually against payment of our costs.",
)

SEGMENT_TEXT = {
    "Flow Measurement": {
        "what": "Flow Measurement makes electromagnetic, ultrasonic and Coriolis meters for liquids and gases, the transmitters "
        "that read them, and the test rigs on which they are proven. Its meters range from tubes thinner than a pencil, used in "
        "dosing, to spools of two meters in diameter for water mains.",
        "customers": "Water utilities buy about two fifths of its output, food and beverage makers a quarter, and chemical, "
        "pharmaceutical and energy companies the rest. Water utilities buy by tender, often for five years at a time; the others "
        "buy meter by meter, through engineers who tend to stay with a make they know.",
        "products": "In 2025 we brought out the Riverline 7 family, which needs no straight run of pipe ahead of it and so "
        "fits where an old meter was taken out. It reached 14 percent of the segment’s orders by the fourth quarter. A battery "
        "version for remote wells, with a life of ten years, follows in 2026.",
        "competition": "We compete with five companies of worldwide reach and with many local makers. Accuracy over time, the "
        "cost of installation and the speed of service decide most orders; price decides tenders for small meters, a part of "
        "the market that we serve only where service contracts come with it.",
        "outlook": "The renewal of water networks in North America and stricter limits on unbilled water in Europe should keep "
        "the segment growing at four to six percent a year. Steel and resin prices, which rose in the second half, are the main "
        "uncertainty for its margin.",
        "why": "Growth came from water utilities in the United States and from the Riverline 7 family; sales to chemical "
        "companies fell slightly. Prices added about two points of growth and volume the rest.",
        "margin": "The margin rose because more meters were built on the automated line at Cold Spring, which lowered the "
        "hours spent on each meter, and because a larger share of sales came from new products.",
    },
    "Laboratory Systems": {
        "what": "Laboratory Systems makes analyzers that find out what a sample consists of: gas and liquid chromatographs, "
        "spectrometers, and the automatic samplers and software that turn them into a working laboratory.",
        "customers": "Hospitals and clinical laboratories, food inspectors, universities and drug makers are its main customers. "
        "About a third of revenue comes from columns, reagents and other supplies that are used up and ordered again.",
        "products": "The Larkfield 40 spectrometer, brought out in October 2024, was the segment’s best-selling analyzer in "
        "2025. Work on its smaller sister for field laboratories is on schedule, and the first units are being tried by three "
        "food inspection agencies.",
        "competition": "The segment’s competitors are larger than it is and spend more on research in absolute terms. We choose "
        "fields in which a laboratory values sturdiness and simple upkeep above the lowest limit of detection, and we leave the "
        "most sensitive research instruments to others.",
        "outlook": "We expect revenue in 2026 to be about level. Supplies should grow with the installed base; sales of large "
        "analyzers depend on research budgets that have not yet been decided.",
        "why": "Sales of large analyzers to universities fell by a fifth after research budgets were cut in the spring. Sales of "
        "supplies rose by six percent and made up for about half of the decline.",
        "margin": "The margin fell because fixed costs were spread over fewer analyzers and because we went on spending on the "
        "successor of the Larkfield family as planned.",
    },
    "Grid Sensing": {
        "what": "Grid Sensing makes sensors that clamp onto power lines and sit in substations, and the software that turns "
        "their readings of current, temperature, sag and vibration into warnings. A line fitted with them can safely carry more "
        "power on cool days and reports a failing joint before it breaks.",
        "customers": "Its customers are operators of transmission and distribution networks. Projects run from a trial of some "
        "dozens of sensors to the equipment of a whole network, so single orders can move a quarter’s revenue.",
        "products": "The third generation of our line sensor takes its power from the line itself and needs no battery. We also "
        "introduced a rating service that tells a control room, hour by hour, how much a line may carry on the next day.",
        "competition": "The market is young. We compete with makers of switchgear that add sensors to their equipment and with "
        "small companies that sell sensors alone. Few of them have calibrated devices with ten years of readings behind them.",
        "outlook": "Orders on hand cover about seventy percent of the revenue that we plan for 2026. With the second hall in "
        "Tallis Ferry in operation, capacity should no longer hold back growth; skilled installers may.",
        "why": "Three network operators, in the United States, Denmark and Australia, moved from trials to the equipment of whole "
        "regions. Deliveries to these three made up more than half of the growth.",
        "margin": "The margin rose with volume, and because sensors of the third generation cost about a fifth less to build "
        "than those they replace.",
    },
    "Services": {
        "what": "Services calibrates, repairs and monitors instruments, trains their users, and runs fourteen calibration "
        "laboratories in eight countries. It looks after about 118,000 instruments, a tenth of which were made by others.",
        "customers": "Most revenue comes from contracts of one to five years. In 2025 we changed two fifths of them from a price "
        "for each hour to a price for the share of time in which the instrument works, and plan to change most others by 2027.",
        "products": "Remote calibration, by which a meter is checked against a traveling standard without leaving the pipe, was "
        "offered in five states at the end of the year. A customer saves the shutdown, and we save the journey.",
        "competition": "We compete with independent laboratories and with customers’ own workshops. Distance matters: nine in "
        "ten contracts are with sites less than three hours by road from one of our engineers.",
        "outlook": "Contracts in force at year-end should bring about $120 million of revenue in 2026. Growth of eight to ten "
        "percent seems likely, provided that we can hire and train about ninety engineers.",
        "why": "Revenue under contracts grew by thirteen percent as more instruments came under monitoring; repairs outside "
        "contracts were level.",
        "margin": "The margin rose because monitoring grows without a like growth in staff. Training for contracts priced by "
        "uptime cost about $2 million.",
    },
}

BUSINESS = (
    (
        "Research and Development",
        (
            "We spent {research} on research and development in 2025, {research_share} of revenue, and {research_before} in 2024. "
            "About 640 engineers and scientists work in it, most of them in Vermont, Ohio and Denmark. Spending is charged "
            "to expense when it occurs; software for sale is capitalized only once it works, and such amounts were small.",
            "We judge research by a simple measure: the share of orders that comes from products less than four years old. It "
            "was 34 percent in 2025, after 29 percent in 2024. We aim to keep it above 30 percent.",
            "Work common to all segments is done in a central group that maintains our standards of flow, mass and "
            "temperature. Its laboratory in Cold Spring is accredited, and other makers pay to have their standards checked there.",
        ),
    ),
    (
        "Manufacturing and Supply",
        (
            "We assemble, calibrate and test all instruments in our own plants and buy most parts. Machined tubes, sensors and "
            "circuit boards make up about half of the cost of purchased parts. We keep two sources for most of them; for eleven "
            "parts, among them the pressure cell of the Riverline family, there is only one qualified source.",
            "Stocks of such parts cover five months of use. Lead times for processors, which had reached a year in 2022, were back "
            "to about fourteen weeks at the end of 2025.",
            "We buy stainless steel, copper and engineering resins at market prices. We do not trade in raw materials and do not "
            "hedge their prices, but contracts with water utilities let us pass on part of a change in the price of steel.",
        ),
    ),
    (
        "Intellectual Property",
        (
            "We hold about 780 patents and have applied for 215 more. They end between 2026 and 2044, and no single one is "
            "material to the company as a whole. We also rely on calibration data gathered over decades, which we keep secret.",
            "Tamsen Valley, Riverline and Larkfield are registered trademarks in most of the countries in which we sell.",
        ),
    ),
    (
        "People",
        (
            "On December 31, 2025 we employed 4,870 people, of whom 2,910 worked in the United States, 1,240 in Europe and 720 "
            "elsewhere. About a fifth are covered by collective agreements. There was no stoppage of work in the year.",
            "Turnover was 8.1 percent, after 9.4 percent in 2024. The rate of recordable injuries was 0.9 for each 200,000 hours "
            "worked, after 1.1. We trained 146 apprentices, the largest number so far, and took on 9 in 10 of those who finished.",
            "Pay is reviewed each year for differences that the work does not explain. The review for 2025 covered all sites and "
            "led to adjustments for 118 people.",
        ),
    ),
    (
        "Environment and Regulation",
        (
            "Our plants use little water and emit little besides what comes from heating. Electricity from renewable sources "
            "covered 70 percent of use in 2025. We aim for 90 percent in 2028.",
            "Some instruments contain small radioactive sources or lasers and need licenses to be made, shipped and used. Meters "
            "that serve for billing must be approved by the authorities of each country. We know of no failure to comply that "
            "would be material.",
            "At two former sites the ground is being cleaned. We have set aside $3.8 million for this work, which should take "
            "until 2031, as described in the note on commitments and contingencies.",
        ),
    ),
)

# Each risk: heading, what may happen, why it would hurt us, what we do about it.
RISKS = (
    ("Demand follows the spending of others",
     "Our customers buy instruments when they build, renew or enlarge their works. When credit is dear or budgets are cut, such "
     "spending is among the first to be put off, often at short notice.",
     "A decline in the spending of water utilities, laboratories or network operators would lower our revenue more quickly than "
     "we could lower our costs, much of which are for people whose skills take years to build.",
     "We watch orders week by week and keep about a tenth of our hours flexible through overtime accounts."),
    ("Research budgets may stay low",
     "Universities and public laboratories account for about a quarter of the revenue of Laboratory Systems. Their budgets were cut "
     "in 2025 and may be cut again.",
     "If large analyzers continue to sell poorly, we may have to write down inventory or capitalized tooling, and goodwill of the "
     "segment, which amounted to $88.4 million, could become impaired.",
     "We direct sales effort to clinical and food laboratories, whose budgets come from fees."),
    ("A few large projects weigh heavily in Grid Sensing",
     "Three network operators brought more than half of the growth of Grid Sensing in 2025. Each can delay, reduce or cancel what it "
     "has ordered, though usually not without paying our costs.",
     "The delay of a single project by one quarter could move revenue of that quarter by as much as $15 million.",
     "We require payments in step with the work and do not build ahead of firm orders."),
    ("Parts with a single source may run short",
     "For eleven parts we have only one qualified supplier. To qualify another takes six to eighteen months because the instrument "
     "has to be approved again.",
     "A fire, a bankruptcy or a decision to stop making a part could halt the assembly of a product line that brings up to nine "
     "percent of our revenue.",
     "We hold about five months of stock of such parts and are qualifying second sources for four of them."),
    ("Defects may reach customers before we find them",
     "Our instruments are complex, and some faults show only after months in the field. In 2025 we shipped 212 meters with pressure "
     "cells that were out of tolerance.",
     "Recalls, repairs and claims cost money, and a doubtful reading can cost us the trust on which our sales depend.",
     "Every batch of critical parts is now tested on arrival, and instruments report their own drift to us where customers allow it."),
    ("Competitors may be faster or cheaper",
     "Some competitors are much larger than we are. Others, particularly in small meters, sell at prices that do not cover our costs.",
     "We could lose sales or have to lower prices in order to keep them, and our margins would suffer.",
     "We leave markets in which only price counts and put research where accuracy and long life are paid for."),
    ("New products may be late or may not sell",
     "Development of an instrument takes two to five years, and we must choose what to develop long before we know what the market "
     "will want.",
     "If the successor of the Larkfield family or the battery version of Riverline 7 were late or unwelcome, growth would "
     "fall short of our outlook.",
     "Projects pass four reviews, at each of which one in three has been stopped in the past five years."),
    ("We depend on skilled people",
     "Calibration, optics and power electronics are small fields. We compete for people in them with larger companies that can pay "
     "more.",
     "If we cannot hire about ninety service engineers in 2026, the growth that we plan for Services will not come about.",
     "We train our own: 146 apprentices in 2025, and a school for calibration that we run together with a college in Ohio."),
    ("Break-ins into computers could harm us and our customers",
     "Attacks on our systems occur every day. Our instruments are connected to plants and networks on which many people depend.",
     "A successful attack could stop our plants, expose data, or give false readings to a control room. We could be liable, and our "
     "name would suffer.",
     "Instruments only send and do not take commands unless a person at the site allows it; an outside firm tests our systems twice "
     "a year."),
    ("Prices of steel, copper and resins may rise",
     "Materials make up about a quarter of the cost of a meter. Their prices rose in the second half of 2025.",
     "We can pass on only a part of such increases, and only with delay. A rise of ten percent in all three would lower operating "
     "income by about $7 million a year.",
     "Where contracts allow it we tie our prices to published indexes."),
    ("Tariffs and export controls may change",
     "We ship parts and instruments across many borders, and about half of our revenue comes from outside the United States.",
     "New tariffs would raise our costs or the prices that our customers pay; export controls could close markets to our most "
     "capable analyzers.",
     "We assemble in both North America and Europe and can move some of the work between the two."),
    ("Exchange rates move our results",
     "About a third of our revenue is in euros, Danish kroner and Canadian dollars, while most research is paid in US dollars.",
     "A rise of the dollar by ten percent against these currencies would lower revenue by about $39 million and operating income by "
     "about $6 million.",
     "We hedge part of the expected net flows for up to twelve months and do not hedge the translation of accounts."),
    ("Our debt carries conditions",
     "Our credit agreement limits net debt to three and a half times earnings before interest, taxes, depreciation and amortization.",
     "If we broke this condition and the banks did not waive it, they could demand repayment at once.",
     "At year-end the ratio was well below one, and we aim to keep it below two."),
    ("Acquisitions may disappoint",
     "We bought a maker of line sensors in 2024 and may buy other companies. People, products and systems have to be joined, which "
     "takes the time of managers.",
     "If an acquired business earns less than we expected, its goodwill and intangible assets would have to be written down.",
     "We buy small companies in fields that we know, and a member of the board follows each of them for two years."),
    ("Claims of patent infringement",
     "Others hold many patents in our fields. One competitor has sued us over the way in which our ultrasonic meters are timed.",
     "We could have to pay damages, take a license, or change a product. Defense is costly even if we win.",
     "We study patents before development begins and believe that the pending claim is without merit."),
    ("Taxes may rise",
     "We pay taxes in twenty-three countries. Rules for sharing income among them are changing, and authorities may see past "
     "years differently from us.",
     "A rise of one point in our tax rate would have lowered net income for 2025 by about $1.9 million.",
     "We do not use structures without substance and settle open years early where we can."),
    ("Rules for meters and emissions may change",
     "Meters used for billing need approval, and the rules differ among countries and change over time.",
     "A new rule could keep a product from the market until it has been approved again, or make stock unsaleable.",
     "Our people sit on the committees that write many of these standards."),
    ("Long contracts priced by uptime carry new risks",
     "We now promise customers that an instrument works, rather than charging for the hours that we spend on it.",
     "If instruments fail more often than we expect, particularly those made by others, the contracts will lose money over years.",
     "We price by make and age, limit penalties to the fee of a quarter, and may leave a contract after its second year."),
    ("Fire, flood or earthquake",
     "Four fifths of our line sensors come from Tallis Ferry, which lies on a river that has flooded twice in fifty years.",
     "A long halt there would delay most deliveries of Grid Sensing. Insurance would cover only a part of the loss.",
     "The plant stands above the level of the highest flood on record, and tools for the most critical steps exist twice."),
    ("Pensions and medical benefits",
     "We promise pensions to about 1,900 people in the United States and Denmark. What they cost depends on interest rates, on "
     "returns and on how long people live.",
     "If rates fall or assets lose value, we will have to pay in more.",
     "The plans are closed to new members, and two thirds of their assets are bonds that move with the obligations."),
)  # fmt: skip

SITES = (
    ("Cold Spring, Vermont", "Head office, flow meters, standards laboratory", "412,000", "Owned"),
    ("Wexley, Ohio", "Flow meters, machining", "286,000", "Owned"),
    ("Tallis Ferry, Oregon", "Line sensors, two halls", "238,000", "Owned"),
    ("Larkfield, Massachusetts", "Spectrometers, research", "174,000", "Owned"),
    ("Odder, Denmark", "Ultrasonic meters, research", "161,000", "Owned"),
    ("Hallein, Austria", "Chromatographs", "122,000", "Leased to 2033"),
    ("Guelph, Ontario", "Meters for Canada, calibration", "68,000", "Leased to 2029"),
    ("Querétaro, Mexico", "Circuit boards and cables", "94,000", "Leased to 2031"),
    ("Geelong, Australia", "Grid projects, calibration", "31,000", "Leased to 2028"),
    ("Penang, Malaysia", "Final assembly for Asia", "77,000", "Leased to 2030"),
)

LEGAL = (
    "In June 2024 Orrin Flow Technologies sued us in the federal court in Vermont. It says that the timing circuit of our "
    "ultrasonic meters infringes two of its patents, and asks for damages and an injunction. We deny infringement and have asked "
    "that both patents be declared invalid. Trial is set for October 2026. We have made no provision, because we do not think "
    "that a loss is probable, and we cannot estimate the range of a possible loss.",
    "We are party to other claims that arise in the ordinary course of business, among them claims about product warranties and "
    "employment. We do not expect any of them to have a material effect on our position or results.",
)

DIRECTORS = (
    ("Philippa Arkwright", 66, 2014, "Chair of the Board", "led a water utility in northern England for eleven years and trained as a civil engineer"),
    ("Maren Holloway", 54, 2019, "Chief Executive Officer", "joined the company in 2003 as a calibration engineer and ran Flow Measurement from 2012 to 2018"),
    ("Tobias Lindqvist", 61, 2016, "Chair of the Audit Committee", "was finance chief of a Swedish maker of bearings and is an accountant by training"),
    ("Adaeze Nwosu", 58, 2018, "Chair of the Compensation Committee", "headed human resources at a hospital group with 30,000 employees"),
    ("Gregory Tamm", 63, 2012, "Director", "founded and sold two software companies that serve factories"),
    ("Hana Sugimoto", 52, 2021, "Director", "teaches power engineering and has advised network operators on three continents"),
    ("Raúl Etcheverry", 59, 2020, "Director", "ran the Latin American business of a maker of pumps"),
    ("Constance Bell", 64, 2015, "Chair of the Governance Committee", "was general counsel of a railway and practiced law for twenty years"),
    ("Emil Brandt", 49, 2023, "Director", "leads a fund that invests in small makers of scientific instruments"),
)  # fmt: skip

GOVERNANCE = (
    "The board has nine members, eight of whom are independent under the rules of the exchange on which our shares are listed. It "
    "met seven times in 2025, and every member attended at least six of the meetings. The chair is not an executive. The independent "
    "members met without executives after each regular meeting.",
    "Members are elected each year by a majority of the votes cast. A member who does not obtain a majority must offer to resign. "
    "Nobody is put forward for election after the age of 72 or after fifteen years of service, unless the board explains why.",
    "The Audit Committee met nine times. It oversees the accounts, the internal audit and the independent auditor, and receives every "
    "report that reaches our hotline. The Compensation Committee met five times and sets the pay of executives. The Governance "
    "Committee met four times and looks after succession, the yearly review of the board’s own work, and relations with shareholders.",
)

COMPENSATION = (
    "Executives are paid a salary, a yearly bonus and shares. The bonus depends on organic growth, operating margin and the flow of cash, "
    "each with a weight of three tenths, and on safety, with a weight of one tenth. In 2025 it came to 108 percent of target.",
    "Shares are granted each February and vest after three years according to the return on capital and the return to shareholders "
    "in comparison with sixteen companies of our kind. The grants of 2022 vested at 91 percent of target in 2025.",
    "Executives must hold shares worth three times their salary, the chief executive five times. Pay that rested on accounts later "
    "found to be wrong must be given back, whether or not the executive was at fault.",
)

PAY = (
    ("Maren Holloway, Chief Executive Officer", (940, 1_218, 3_150)),
    ("Victor Salonen, Chief Financial Officer", (585, 506, 1_240)),
    ("Imogen Clarke, President, Flow Measurement", (510, 441, 980)),
    ("Nikhil Rao, President, Grid Sensing", (495, 476, 1_010)),
    ("Beatrix Aumann, General Counsel", (465, 352, 720)),
)

GLOSSARY = (
    ("Accuracy", "How close a reading is to the true value, given as a percentage of the reading."),
    (
        "Adjusted operating margin",
        "Operating income before amortization and restructuring, divided by revenue.",
    ),
    ("Backlog", "Orders received and not yet recognized as revenue."),
    ("Calibration", "Comparison of an instrument with a standard whose error is known."),
    ("Chromatograph", "An analyzer that separates a sample into its parts and measures each of them."),
    ("Coriolis meter", "A meter that finds mass flow from the twist of a vibrating tube."),
    ("Drift", "The slow change of an instrument’s readings over time."),
    (
        "Electromagnetic meter",
        "A meter that finds the flow of a conducting liquid from the voltage it induces in a magnetic field.",
    ),
    ("Free cash flow", "Cash flow from operating activities less capital expenditure."),
    ("Installed base", "Instruments sold that are still in use."),
    ("Line rating", "The current that a power line may carry safely under given weather."),
    ("Net debt", "Borrowings less cash and cash equivalents."),
    ("Organic growth", "Growth of revenue without the effects of acquisitions and exchange rates."),
    ("Ratio of book to bill", "Orders received divided by revenue of the same period."),
    ("Sag", "The distance by which a power line hangs below a straight line between its supports."),
    ("Spectrometer", "An analyzer that identifies substances by the light or the masses they give off."),
    ("Straight run", "The length of undisturbed pipe that many meters need ahead of them."),
    ("Traceability", "An unbroken chain of comparisons from a reading to a national standard."),
    ("Transmitter", "The electronics that turn a sensor’s signal into a reading and send it on."),
    (
        "Ultrasonic meter",
        "A meter that finds flow from the travel time of sound with and against the stream.",
    ),
    (
        "Unbilled water",
        "Water that is put into a network and not paid for, because of leaks or faulty meters.",
    ),
    ("Uptime", "The share of time in which an instrument gives valid readings."),
)
