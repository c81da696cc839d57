"""More words of the sample annual report: product families, sites, quarters, sustainability, subsidiaries."""

from __future__ import annotations

# Each family: name, share of the segment's revenue in percent, text. The remainder is "other products".
FAMILIES = {
    "Flow Measurement": (
        ("Riverline", 38, "Riverline meters have no moving parts and measure water, waste water and other conducting liquids by their effect "
         "on a magnetic field. They are built in 31 sizes, and the lining is chosen for what flows through: hard rubber for grit, a "
         "fluoropolymer for acids. A meter checks its own coils every minute and reports when they age."),
        ("Streamgate", 21, "Streamgate meters clamp onto the outside of a pipe and time the passage of sound through wall and liquid. "
         "Nothing has to be cut, so they are often bought for a first check of a network and then left in place. The version for gas, "
         "brought out in 2023, measures compressed air and found many leaks that nobody had looked for."),
        ("Massline", 19, "Massline meters weigh what flows, whatever its temperature, by the twist of a vibrating tube. Dosing of medicines and "
         "loading of tankers are typical uses. We calibrate each of them at five rates of flow and send the certificate along."),
        ("Proving rigs", 9, "Proving rigs are the installations on which meters are tested. We build about a dozen a year for utilities, for "
         "national institutes and for other makers, and we use the same design ourselves in Cold Spring and Odder."),
    ),
    "Laboratory Systems": (
        ("Larkfield", 33, "Larkfield spectrometers identify substances by the light that they absorb and give off. The optics are cut from one "
         "block of glass, so that an instrument may travel in a van and work without being adjusted. The Larkfield 40 needs a third "
         "of the bench of the model before it."),
        ("Colonnade", 27, "Colonnade chromatographs separate a sample into its parts. Food inspectors use them to look for traces of pesticides, "
         "hospitals to follow the level of a medicine. Columns can be changed by hand in two minutes, and the instrument knows which "
         "column it has been given."),
        ("Supplies", 32, "Columns, reagents, lamps and vials are ordered again and again and carry our best margins in this segment. Two thirds of "
         "the orders come through the internet and are shipped on the same day from Larkfield, Hallein or Penang."),
    ),
    "Grid Sensing": (
        ("Linewatch", 56, "Linewatch sensors clamp onto a power line, usually from a bucket truck and without switching the line off. They report "
         "current, temperature, tilt and vibration every ten seconds. The third generation draws its power from the line’s own "
         "magnetic field, starting at a current of forty amperes."),
        ("Yardwatch", 23, "Yardwatch systems follow the temperature, the oil and the switching of transformers and breakers in substations. They "
         "warn of about seven in ten failures more than a month ahead, judging by 3,400 transformers that have been followed for "
         "five years or longer."),
        ("Daybook software", 14, "Daybook collects the readings, works out how much each line may carry on the next day, and hands the result to "
         "the control room. It is sold by the year and by the length of line. At the end of 2025 it rated 61,000 kilometers of line."),
    ),
    "Services": (
        ("Calibration", 41, "Fourteen laboratories and 160 vans calibrate instruments of every make. In most trades a meter has to be checked "
         "every one to six years. We keep the history of each instrument and can often show an authority that a longer time between "
         "checks is safe."),
        ("Uptime contracts", 34, "Under an uptime contract the customer pays for the time in which an instrument gives valid readings. We choose "
         "how to keep it so: by watching it from afar, by exchanging it before it fails, or by going there. The average of all "
         "contracts was 99.3 percent in 2025."),
        ("Repairs and training", 18, "Repairs outside contracts, spare parts, and courses for users make up the rest. About 5,200 people attended a "
         "course in 2025, a third of them on line. Spare parts are kept for at least fifteen years after an instrument was last sold."),
    ),
}  # fmt: skip

SITE_TEXT = (
    ("Cold Spring, Vermont", "The head office stands beside the river gauge from which the company began. The plant builds electromagnetic "
     "meters up to 800 millimeters and houses the standards laboratory, which is sunk eleven meters into rock to keep its temperature "
     "steady. The automated line, in its second year, works two shifts."),
    ("Wexley, Ohio", "Wexley machines tubes and flanges for all meter plants and builds the meters larger than 800 millimeters. A test basin "
     "for meters of two meters in diameter, one of four in the world, was overhauled in the summer and was out of use for seven weeks."),
    ("Tallis Ferry, Oregon", "The first hall opened in 2017 and the second in September 2025. Both stand on a terrace above the highest flood on "
     "record. Sensors are potted, aged for two days at changing temperatures, and tested at the voltage of a transmission line."),
    ("Larkfield, Massachusetts", "Spectrometers are designed, built and aligned here, partly in rooms without vibration. Half of the people at "
     "Larkfield work in research. The lease of a neighboring building was not renewed, since fewer large analyzers were built."),
    ("Odder, Denmark", "Odder joined the company in 1994 and builds ultrasonic meters and the electronics of most other meters. It is our largest "
     "site in Europe and trains apprentices for all of them. A wind turbine owned together with neighbors supplies most of its power."),
    ("Hallein, Austria", "Chromatographs have been made here since 1971. The site was bought in 2009 and leased back after it had been sold to a "
     "pension fund in 2013. Final tests now take three days instead of five."),
    ("Guelph, Ontario", "Guelph adapts meters to Canadian rules and calibrates those of 140 municipalities. It won the tender of a group of "
     "utilities in Ontario for five more years in April."),
    ("Querétaro, Mexico", "Circuit boards and cables for all plants in North America come from Querétaro. A second line for boards began work in "
     "May and took over what had been bought outside."),
    ("Geelong, Australia", "Geelong serves network operators in Australia and New Zealand. It grew from 22 to 58 people in 2025, when the project "
     "for a regional network operator began."),
    ("Penang, Malaysia", "Meters and analyzers for Asia are put together and tested in Penang from kits that come from the other plants. A new "
     "calibration laboratory, accredited in October, spares customers the shipping of meters to Europe."),
)  # fmt: skip

QUARTERS = (
    ("First quarter", "The year began slowly. Snow closed the plant in Wexley for four days in February, and universities waited for their "
     "budgets. Grid Sensing began deliveries to Australia in March. In the same month the defect in pressure cells was found; "
     "shipments of the meters concerned were stopped for nine days."),
    ("Second quarter", "Orders from water utilities were the highest of any quarter so far. Research budgets in the United States were cut in "
     "May, and orders for large analyzers fell at once. The board approved the closing of Brandle in June. A payment of $15 million on "
     "the term loan was made ahead of time."),
    ("Third quarter", "The second hall in Tallis Ferry opened on September 8, four months early. The Danish network operator ordered "
     "sensors for its whole western region. Prices of steel and copper began to rise; we raised list prices by three percent from "
     "October."),
    ("Fourth quarter", "Deliveries of Grid Sensing were the largest of the year. The last of the meters with faulty pressure cells was "
     "replaced in November. Receivables rose because much was delivered in December. Shares were bought back for $22 million, more than "
     "half of the amount of the year."),
)  # fmt: skip

# Electricity (MWh), share from renewable sources (percent), water (thousand m3), waste (tonnes), by site.
USE = (
    ("Cold Spring, Vermont", 14_820, 88, 41, 512),
    ("Wexley, Ohio", 16_375, 52, 63, 1_240),
    ("Tallis Ferry, Oregon", 11_940, 81, 22, 318),
    ("Larkfield, Massachusetts", 7_260, 64, 18, 141),
    ("Odder, Denmark", 6_915, 96, 15, 205),
    ("Hallein, Austria", 4_380, 92, 12, 118),
    ("Guelph, Ontario", 1_910, 70, 5, 46),
    ("Querétaro, Mexico", 5_640, 38, 14, 173),
    ("Geelong, Australia", 720, 55, 2, 21),
    ("Penang, Malaysia", 3_180, 29, 9, 94),
)

SUSTAINABILITY = (
    ("What we aim for", "We set aims that we can measure, and we report on them whether or not they are met. By 2028 electricity from renewable "
     "sources should cover 90 percent of our use; by 2030 emissions from heating should be half of those of 2020; and by 2030 nine "
     "tenths of the weight of an instrument should be reused or recycled at the end of its life."),
    ("Where we stand", "Emissions from heating were 31 percent below those of 2020. Of the weight of instruments taken back in 2025, 78 percent was "
     "reused or recycled. The aim that we missed was for packaging: we wanted to do without foam by the end of 2025 and still use it for "
     "about a fifth of shipments."),
    ("What our instruments do", "The meters that we sold in 2025 will, by the estimate of our engineers, show their owners leaks of some 190 "
     "million cubic meters of water a year. Line sensors let networks carry more power from wind and sun over lines that exist. Such "
     "estimates are rough, and we do not set them against our own emissions."),
    ("Suppliers", "We bought from 2,340 suppliers. Those that account for four fifths of purchases have signed our rules of conduct. We visited 118 "
     "of them, found serious faults at six, and stopped buying from one, where safety doors had been locked."),
    ("Safety", "Nobody was killed or crippled at work in 2025. Of 44 recordable injuries, 29 were to hands. After a fall from a ladder in Geelong "
     "we changed the rules for work at heights in all countries."),
    ("Communities", "We gave $1.9 million, most of it for the teaching of science in the towns around our plants, and our people gave about 11,000 "
     "hours of paid time. We make no gifts to political parties or candidates."),
)  # fmt: skip

CONTROL = (
    "The management of the company is responsible for adequate internal control over financial reporting. Such control gives reasonable, "
    "not absolute, assurance that the accounts are reliable and that the assets of the company are used only as authorized.",
    "Under the direction of the chief executive and the chief financial officer we tested our internal control on December 31, 2025, at sites "
    "that account for 94 percent of revenue. We conclude that it was effective. The auditor has come to the same opinion.",
    "We found 23 shortcomings, none of which was material, alone or together. Most concerned the rights of users in computer systems after a "
    "change of job. Nineteen had been put right by the date of this report.",
    "No change of the fourth quarter has had, or is likely to have, a material effect on internal control. Ohmfield Networks, bought in 2024, was "
    "included in the tests for the first time.",
)

SUBSIDIARIES = (
    ("Tamsen Valley Holdings LLC", "Delaware, United States", "Holding"),
    ("Tamsen Valley Flow LLC", "Vermont, United States", "Production, sales"),
    ("Tamsen Valley Grid LLC", "Oregon, United States", "Production, sales"),
    ("Larkfield Optical LLC", "Massachusetts, United States", "Production, research"),
    ("Wexley Machining LLC", "Ohio, United States", "Production"),
    ("Tamsen Valley Service Company LLC", "Ohio, United States", "Services"),
    ("Tamsen Valley Canada Ltd.", "Ontario, Canada", "Sales, services"),
    ("Instrumentos Tamsen, S. de R.L. de C.V.", "Querétaro, Mexico", "Production"),
    ("Tamsen Valley Brasil Ltda.", "São Paulo, Brazil", "Sales"),
    ("Tamsen Valley Danmark ApS", "Odder, Denmark", "Production, research"),
    ("Ohmfield Networks AS", "Oslo, Norway", "Research, sales"),
    ("Tamsen Valley Sverige AB", "Gothenburg, Sweden", "Sales, services"),
    ("Hallein Analytik GmbH", "Hallein, Austria", "Production, research"),
    ("Tamsen Valley Deutschland GmbH", "Mannheim, Germany", "Sales, services"),
    ("Tamsen Valley France SAS", "Lyon, France", "Sales, services"),
    ("Tamsen Valley Italia S.r.l.", "Brescia, Italy", "Sales"),
    ("Tamsen Valley Ibérica, S.L.", "Zaragoza, Spain", "Sales"),
    ("Tamsen Valley (UK) Limited", "Leeds, United Kingdom", "Sales, services"),
    ("Tamsen Valley Polska sp. z o.o.", "Wrocław, Poland", "Sales, services"),
    ("Tamsen Valley Australia Pty Ltd", "Geelong, Australia", "Sales, services"),
    ("Tamsen Valley Instruments (Malaysia) Sdn. Bhd.", "Penang, Malaysia", "Production, sales"),
    ("Tamsen Valley Japan K.K.", "Nagoya, Japan", "Sales"),
    ("Tamsen Valley India Private Limited", "Pune, India", "Sales, services"),
)

RISK_WATCH = (
    ("Demand", "Chief Executive Officer", "Orders, weekly", "Level"),
    ("Research budgets", "President, Laboratory Systems", "Public budgets, yearly", "Rising"),
    ("Large grid projects", "President, Grid Sensing", "Milestones, monthly", "Rising"),
    ("Parts with a single source", "Head of Purchasing", "Weeks of stock, weekly", "Falling"),
    ("Defects in the field", "Head of Quality", "Returns for each 1,000 shipped", "Level"),
    ("Competition", "Presidents of the segments", "Share of tenders won", "Level"),
    ("New products", "Chief Technology Officer", "Projects on time", "Level"),
    ("Skilled people", "Head of Human Resources", "Open positions, monthly", "Rising"),
    ("Break-ins into computers", "Chief Information Officer", "Tests by outsiders, half-yearly", "Rising"),
    ("Raw materials", "Head of Purchasing", "Published indexes, monthly", "Rising"),
    ("Tariffs", "General Counsel", "Notices of authorities", "Rising"),
    ("Exchange rates", "Treasurer", "Net flows hedged, monthly", "Level"),
    ("Debt", "Treasurer", "Ratio of net debt, quarterly", "Falling"),
    ("Uptime contracts", "President, Services", "Uptime by contract, monthly", "Rising"),
    ("Fire and flood", "Head of Operations", "Inspections, yearly", "Level"),
)

# One page each: title and paragraphs.
CASES = (
    (
        "A City Finds Its Lost Water",
        "The water works of a lake town of 90,000 people pumped more water than it billed, and nobody could say where the rest went. Pipes laid "
        "in the 1920s run under streets that carry trams, so digging on suspicion was out of the question.",
        "In the spring of 2024 our engineers divided the network into thirty-one zones and clamped a Streamgate meter onto every pipe "
        "that enters or leaves one of them. No pipe was cut. By night, when few people draw water, the difference between what "
        "flows in and what flows out of a zone is the leak.",
        "Four zones accounted for two thirds of the loss. In one of them a main had been feeding an old sewer for at least eleven "
        "years. In another, the water was not lost at all: the meter of a dyeworks had been reading a quarter too low since it was "
        "installed. We had not made that meter, but we recalibrated it, and the dyeworks has since ordered two of ours.",
        "By the end of 2025 unbilled water had fallen from 27 to 14 percent of what is pumped. The works put off the building of a third "
        "intake, which would have cost more than ten times what it paid for meters. Thirty Riverline meters have now taken the place of the "
        "clamped ones, which have moved on to the next town.",
        "The head of the works says that the figures changed how her people argue. Before, each department had its own "
        "explanation for the losses. Now they look at the same screen in the morning and send a crew.",
    ),
    (
        "A Laboratory on Wheels",
        "Inspectors who look for pesticides in fruit used to take samples at the market, drive them to a laboratory, and learn the result when the "
        "fruit had been eaten. A food agency in the south of Europe asked us whether the laboratory could come to the market instead.",
        "A van has little power, no gas supply and a floor that shakes. The Larkfield 40 was made with such places in mind: its optics are a "
        "single block, it warms up in twelve minutes, and it finds its own zero after every move. Together with a small Colonnade it fits "
        "into the space of two refrigerators.",
        "The first van went out in March 2025. Within a season it had tested 4,300 samples, nine times as many as the inspectors used to "
        "take. Forty-one lots were stopped on the spot. In six cases the van was wrong, always on the side of caution, and the lots were "
        "released after a second test.",
        "What we learned on the road has gone into the field instrument that we are developing. It will need half the power, and a user will be "
        "able to change the lamp without tools. Three agencies are trying the first units now.",
        "The agency has ordered five more vans. Traders, it reports, have begun to ask for a test before they buy, because a lot with a "
        "certificate sells more quickly.",
    ),
    (
        "More Power over the Same Wires",
        "A power line may carry only so much current, because it grows hot, stretches and sags. How much depends on the weather, but for lack of "
        "measurements most lines are run all year as if it were a still, hot afternoon.",
        "A network operator in Denmark wanted to bring the power of a new wind farm across sixty kilometers of line that was, by that rule, full. "
        "A second line would have taken nine years to plan and build. In the autumn of 2023 we fitted forty Linewatch sensors and "
        "let Daybook work out the true limits for a year, without anybody acting on them.",
        "On average the line could have carried 28 percent more than it was allowed to, and it was most often cool and able just when the wind blew. "
        "On eleven afternoons in July the true limit was below the old one, which nobody had known; two joints "
        "were hotter than the wire and have been replaced.",
        "Since January 2025 the control room has used the limits that Daybook gives for each hour of the next day. The wind farm was connected in "
        "April. In September the operator ordered sensors for its whole western region, 2,900 of them.",
        "The project taught us that trust comes slowly and in a certain order. The engineers believed the sensors first, then the "
        "forecasts, and at the end the warnings, which had been right from the start.",
    ),
    (
        "Paying for Readings, Not for Visits",
        "A maker of vaccines has 640 of our instruments and 210 of other makes in four plants. A batch that was made while an instrument was in doubt "
        "has to be thrown away, so the company had everything checked every six months, and stopped production for it.",
        "Under the contract that began in January 2025 it pays a fee for each hour in which an instrument gives valid readings, and nothing for the "
        "others. We decide when to check, and we bear the cost of a visit. In return we may read how each instrument judges its own health.",
        "In the first year we made 38 percent fewer visits than before. Most instruments did not need one; some needed it at once. Instruments "
        "gave valid readings for 99.6 percent of the time, and no batch was lost for their sake. Production stood still for eleven days "
        "less than in 2024.",
        "The contract was not easy for us. Forty of the instruments made by others proved worse than we had assumed, and the fee for them did "
        "not cover our cost. The price for such instruments now depends on make and age.",
        "Our engineers had to change as well. Somebody who used to be measured by the number of visits is now measured by the number that "
        "were not needed. It took half a year and much talking until everybody believed that we meant it.",
    ),
)

HISTORY = (
    (
        1958,
        "Two hydrologists found the company in a former sawmill at Cold Spring and sell eleven river gauges in the first year.",
    ),
    (
        1963,
        "The first electromagnetic meter is delivered to a paper mill. It is in our entrance hall and still works.",
    ),
    (
        1969,
        "The standards laboratory is sunk into the rock. Its first task is to settle a quarrel between two cities over water.",
    ),
    (1976, "Wexley Machining, until then a supplier, becomes part of the company."),
    (1984, "Shares are listed on the exchange at a price, adjusted for later splits, of 41 cents."),
    (
        1989,
        "A microprocessor in a meter checks the meter’s own coils, the beginning of what we now call health records.",
    ),
    (
        1994,
        "We buy a Danish maker of ultrasonic meters in Odder. The two teams agree on the metric system after a year.",
    ),
    (1999, "The plant in Penang opens with 34 people."),
    (
        2003,
        "A year with a loss, the only one so far, follows the end of the boom in telecommunications and costs 400 people their work.",
    ),
    (
        2009,
        "We buy the chromatographs of Hallein and, a year later, the spectrometers of Larkfield. Laboratory Systems becomes a segment.",
    ),
    (2013, "Services is made a segment of its own, with nine laboratories."),
    (
        2015,
        "A sensor for power lines, built by three engineers in Oregon in their spare time, is shown to the board.",
    ),
    (2017, "The first hall at Tallis Ferry opens."),
    (2019, "Maren Holloway becomes chief executive."),
    (
        2020,
        "Plants stay open through the pandemic with half of each shift; 7,000 meters for oxygen are shipped to hospitals.",
    ),
    (
        2022,
        "Processors are scarce. We redesign nineteen circuit boards in five months so that other processors fit.",
    ),
    (2024, "Ohmfield Networks of Oslo joins the company."),
    (2025, "The second hall at Tallis Ferry opens, and revenue passes $1.2 billion."),
)

AUDIT_COMMITTEE = (
    "The committee met nine times in 2025, each time together with the chief financial officer, the head of internal audit and the "
    "independent auditor, and spoke with each of them alone at least four times.",
    "It spent most time on three matters. The first was the revenue of long projects in Grid Sensing, which grows in weight and rests on estimates. "
    "The committee had the estimates of the six largest projects explained by the engineers who made them and compared them with those of "
    "a year before; on average the cost had been estimated two percent too high.",
    "The second was the test of goodwill in Laboratory Systems after the fall in orders. The committee asked for a calculation with revenue that "
    "does not recover before 2029. Even then the value would have exceeded the carrying amount, though by only four percent.",
    "The third was the security of computers. The committee received the report of the outside firm that had tried to break in. It got as far as the "
    "plan of the canteen in one plant and the time sheets in another, and both ways have been closed.",
    "The hotline received 61 reports, most of them on matters of personnel. Seven concerned the handling of money; in two cases people were "
    "dismissed, over amounts that together came to less than $30,000.",
    "The committee recommends that Harcourt Pell LLP be appointed as auditor for 2026. The firm’s fees were $3.42 million for the audit and $0.28 million "
    "for other services. The lead partner changes in 2026 after five years.",
    "Tobias Lindqvist, Chair of the Audit Committee",
)

SHARES = (
    "Our shares are listed under the symbol TVLY. On February 13, 2026 there were 62,480 thousand shares outstanding, held by 1,905 holders of record and by an "
    "estimated 38,000 holders through banks and brokers.",
    "The table shows the highest and the lowest price of a share in each quarter and the dividend paid in it. Prices are those at the close of a day.",
)
PRICES = (
    ("First quarter 2024", ("$ 34.10", "$ 29.85", "$ 0.135")),
    ("Second quarter 2024", ("$ 36.75", "$ 31.40", "$ 0.135")),
    ("Third quarter 2024", ("$ 39.20", "$ 33.95", "$ 0.135")),
    ("Fourth quarter 2024", ("$ 42.60", "$ 37.10", "$ 0.135")),
    ("First quarter 2025", ("$ 45.30", "$ 40.05", "$ 0.155")),
    ("Second quarter 2025", ("$ 44.15", "$ 37.60", "$ 0.155")),
    ("Third quarter 2025", ("$ 49.85", "$ 41.90", "$ 0.155")),
    ("Fourth quarter 2025", ("$ 53.40", "$ 46.75", "$ 0.155")),
)
SHARES_AFTER = (
    "One hundred dollars put into our shares at the end of 2020, with dividends put into further shares, had become $214 at the end of 2025. The same amount "
    "put into a broad index of industrial companies had become $171.",
    "In the fourth quarter we bought back 431 thousand shares at an average price of $51.04. No shares were sold outside the plans for employees.",
    "Holders of more than five percent of the shares are the Emerson Lake Fund with 8.3 percent, the pension fund of the teachers of Vermont with 6.1 percent, and "
    "the founders’ families, who vote together, with 11.7 percent.",
)
