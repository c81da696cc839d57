"""Words to the stems of their families: "terminated", "termination" and "terminates" are one."""

from __future__ import annotations

from functools import lru_cache

_IRREGULAR_LINES = """
be am is are was were been being
have has had having
do does did done doing
pay paid
give gave given
get got gotten
take took taken
make made
keep kept
hold held
hire hires hired hiring

sell sold sale
buy bought
send sent
spend spent
bring brought
lose lost loss
rise rose risen
fall fell fallen
grow grew grown growth
know knew known knowledge
see saw seen
show shown
write wrote written writing
go went gone goes going

come came
leave left
lead led
meet met
bear bore borne
bind bound
begin began begun
run ran
find found
say said
tell told
think thought
break broke broken breach
choose chose chosen choice
draw drew drawn
drive drove driven
build built
teach taught
seek sought
set
let
cut
put
lie lay
win won
undertake undertook undertaken
withdraw withdrew withdrawn withdrawal
withhold withheld
forgo forgone
forbid forbade forbidden
arise arose arisen
become became
stand stood
understand understood understanding
deliver delivery deliveries
assign assignment assignments
receive receipt receipts
proceed proceeding proceedings
person people persons
child children
man men
woman women
shelf shelves
half halves
life lives
maintain maintenance
sign signature signatures signed
appear appearance
apply applied application applicable applies
notify notified notifies notification
renew renewal renewals
approve approval approvals
refuse refusal
remove removal
propose proposal
disclose disclosure disclosures
expire expiry expiration expires
acquire acquisition acquisitions
require requirement requirements
redeem redemption
resume resumption
consume consumption
produce production
reduce reduction reductions
receive reception
permit permission permissions
submit submission
omit omission
extend extension extensions
exceed excess excessive
succeed success successful
fail failure failures
sue
defend defense defence
license licence licences licenses licensing
sublicense sublicence sub-license
favor favour
honor honour
labor labour
program programme programs programmes
enrol enroll
fulfil fulfill
authorize authorise authorization authorisation
decide decision decisions
divide division
include inclusion
exclude exclusion exclusions excluding
conclude conclusion
revise revision
supervise supervision
invade invasion
explain explanation
pronounce pronunciation
describe description
subscribe subscription
retain retention
prevent prevention
detain detention
contain
comply compliance compliant complies complied
rely reliance relies relied
vary variation varies varied
bankruptcy bankrupt bankruptcies
insolvent insolvency
confidential confidentiality confidentially
confidence
exclusive exclusivity exclusively
general generally
generate generation
relate related relates relating
relationship relationships
relative relatively
relevant
final finally
finance financing financed
financial financially
interest interests
interested
part parts
party parties
partner partners partnership
particular particularly
operation operations operate operates operating operated operational
operator
late
later
latest
less
least
lesser
early
earlier
earliest
under
other others
number numbers
quarter quarters quarterly
order orders ordered ordering
corporate
corporation
company companies
accompany
universe universal
university
organize organise organisation organization
rent rental
common
community
communicate communication
commerce commercial commercially
commission
commit commitment commitments
committee committees
constitute constitutes
constitution
convention
convenient convenience
person
personal
personnel
price prices pricing priced
precede preceding
precedent
state states stated stating
state's
statement statements
station
territory territories
test tests testing
use uses used using usage
user users
value values valued valuation
invoice invoices invoiced
institute
institution
consist consists
consistent consistently
condition conditions
conditional
conditionally
consider considers considered
consideration
considerable
direct
director directors
directly
action actions
active
activity activities
actual actually
actuarial actuarially
account accounts
accountable
accounting
accountant
addition
additional additionally
address
advance advances advanced
advantage
adverse adversely
advertise advertising advertisement advertisements
agent agents agency
agree agrees agreed agreeing
agreement agreements
capital
capitalize
cover covers covered coverage
credit credits credited
creditor
current currently
currency
custom customs
customer customers
customary
element
executive executives
execute executed execution
exercise exercises exercised exercisable
express expressly
expressed
force forces
form forms formed
formal
formation
formula
former formerly
format
ground grounds
inform informs informed informing
information
initial initially
initiate initiating
intention intend intends intended intent
intense
international internationally
invent invention inventions
inventory inventories
invest invests invested investment investments
investor
investigate investigation
issue issues issued issuance
law laws lawful
legal legally
list
listing
loan loans
local
locate location
manufacture manufactures manufactured manufacturing
mean means meaning
medical
moral
natural
note notes
notice notices
object
objective
occasion occasional
offer offers offered offering
office offices
officer officers
official
original originally
originate
owner owners ownership own owns owned
patent
pension
physical
plan plans planned
plant
policy policies
portion
position
positive
possible possibly
possibility
post
premium premiums
premise premises
present presents presented presentation
principal principally
principle
private
privilege
process
product products
profession professional professionally
professor
profit profits profitable
project
projection
proper properly
property properties
provide provides provided providing
provided
provision provisions
public publicly
publish publication
purchase purchases purchased purchaser
real
reason reasons
reasonable reasonably
record records
register registers registered registration
regular regularly
regulate regulation regulations regulatory
report reports reported reporting
represent represents represented representation representations
representative
reserve reserves
resident
responsible responsibility responsibilities
result results resulted
review reviews
right rights
secure
security securities
segment
sense
separate separately
series
serious
serve
service services
server
significant significantly
similar similarly
special
specific specifically specify specifies specified
standard standards
status
statute statutory
stock stocks
stockholder stockholders shareholder shareholders
store
subject
subjective
subsidiary subsidiaries
substance
substantial substantially
support supports
survive survives survival
tax taxes taxation taxable
technical technically
technology technologies technological
temporary
term terms
terminal
total totals
trade
trademark trademarks
transaction
transfer transfers transferred
transmit transmission
unit units
united
vendor
venture
warrant
warrants
warranty warranties
whole wholly
work works worked working
write
year years yearly annual annually annum
month months monthly
week weeks weekly
day days daily
twice
once
certain
certify certificate certification
capable capability
conflict conflicts
contract contracts contractual
contractor contractors
subcontractor subcontractors
depend depends dependent
independent independently
liable liability liabilities
valid validity
invalid invalidity
enforce enforces enforced enforcing
enforceable enforceability
unenforceable unenforceability
legality
illegal illegality
accurate accurately accuracy
complete completely completeness completed completion
correct correctly
correction
deficient deficiency
defective defect defects
depreciate depreciation
impair impairment
increase increases increased increasing increasingly
decrease decreases decreased decreasing
reclaim reclamation
negligent negligence
liquidate liquidation
arbitrate arbitration
arbitrator arbitrators
arbitrary arbitrarily
timely
time times
sufficient sufficiently
unfavorable unfavorably
favorable favorably
shop
ship ships shipped shipping shipment shipments
step
stop stops stopped stopping
drop drops dropped
plan
begin beginning
commence commencement
occur occurs occurred occurrence
refer refers referred reference references
prefer
incur incurs incurred
cancel cancels cancelled canceled cancellation
control controls controlled
label
model
travel
equal equals equally
signal
weak weaker weaken weakened weakens weakness
strong stronger strengthen strengthened strengthens strength
high higher highest
low lower lowest
wide wider widen widened
narrow narrower narrowed narrows
large larger largest
small smaller smallest
short shorter shorten shortened
great greater greatest
soft softer softened
slow slower slowed
deep deeper
broad broader broaden
book booked booking bookings
"""


def _irregulars() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _IRREGULAR_LINES.split("\n"):
        forms = line.split()
        for form in forms:
            table.setdefault(form, forms[0])
    return table


_IRREGULAR = _irregulars()
_DERIVED = (
    "izations", "ization", "isation", "ations", "ation", "itions", "ition", "ments", "ment", "ances",
    "ance", "ences", "ence", "ingly", "edly", "ably", "ibly", "ally", "ily", "ly", "ness", "ivity", "ive",
    "able", "ible", "ions", "ion", "al", "ures", "ure", "ate", "ise", "ize", "ify", "at", "iz", "ur", "y", "e",
)  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a word in lower case; crude, but the same for the members of most families."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isalpha() or len(word) <= 3:
        return word
    root = _uninflected(word)
    if root in _IRREGULAR:
        return _IRREGULAR[root]
    for ending in _DERIVED:
        if root.endswith(ending) and len(root) - len(ending) >= 4:
            return root[: -len(ending)]
    return root


def _uninflected(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and any(c in "aeiouy" for c in root):
            if root + "e" in _IRREGULAR:
                return root + "e"
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root
    return word
