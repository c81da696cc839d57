"""The lines of financial statements: what people call them in questions, and which rows are theirs.

A row is a line's only if its whole label fits, so that an unrelated row is never taken. Patterns of one line
stand in order of preference; labels are as `labels.bare` gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from longleaf.app.text.statement_pages import Statement

Kind = Literal["amount", "per_share", "shares"]


@dataclass(frozen=True, slots=True)
class LineItem:
    """`magnitude`: an outflow or expense, positive whichever sign the statement gives it.

    `parts` are rows that are added where no row gives the whole; `derived` a formula for the same end.
    """

    name: str
    title: str
    asked: re.Pattern[str]
    rows: tuple[re.Pattern[str], ...]
    where: tuple[Statement, ...]
    kind: Kind = "amount"
    magnitude: bool = False
    parents: re.Pattern[str] | None = None
    not_parents: re.Pattern[str] | None = None
    parts: tuple[re.Pattern[str], ...] = ()
    derived: str = ""
    children: bool = False  # the rows under a heading of its name are its parts


def _item(
    name: str,
    title: str,
    asked: str,
    rows: Iterable[str],
    where: str,
    *,
    kind: Kind = "amount",
    magnitude: bool = False,
    parents: str = "",
    not_parents: str = "",
    parts: Iterable[str] = (),
    derived: str = "",
    children: bool = False,
) -> LineItem:
    names: dict[str, Statement] = {"i": "income", "b": "balance", "c": "cash_flow"}
    return LineItem(
        name,
        title,
        re.compile(rf"(?<![\w-])(?:{asked})(?![\w-])", re.IGNORECASE),
        tuple(re.compile(row) for row in rows),
        tuple(names[letter] for letter in where),
        kind,
        magnitude,
        re.compile(parents, re.IGNORECASE) if parents else None,
        re.compile(not_parents, re.IGNORECASE) if not_parents else None,
        tuple(re.compile(row) for row in parts),
        derived,
        children,
    )


_SHARE = r"(?:common |ordinary |diluted |basic )*share"
_EXCLUDING = r"(?:,? ?\(?(?:exclusive|excluding|including|inclusive|exclud|shown) .*)?"
_NET_OF = r"(?:,? ?-? ?\(?(?:net|less)(?: .*|\))?)?"
_SUPPLEMENT = r"supplement|non-?\s?cash|paid during|disclosure"

ITEMS: tuple[LineItem, ...] = (
    # --- income statement ---
    _item(
        "net_sales",
        "Net sales",
        r"net sales",
        (r"(?:total )?(?:consolidated )?net sales", r"(?:total )?(?:net )?(?:revenues?|sales)(?:,? net)?"),
        "i",
        not_parents=r"segment|^cost",
    ),
    _item(
        "revenue",
        "Revenue",
        r"(?:total |net |consolidated |annual |operating |company |company-wide )*(?:revenues?|sales"
        r"|turnover|top[- ]line)"
        r"(?: net of interest expense)?",
        (
            r"(?:consolidated )?total (?:consolidated |company |operating |net )*(?:revenues?"
            r"|sales)(?:,? net)?(?: of interest expense| net of interest expense)?",
            r"(?:consolidated )?net (?:revenues?|sales)(?: and other income)?",
            r"(?:net )?operating revenues?(?:,? net)?|revenues?(?:,? net)?|(?:net )?sales(?: to customers"
            r"| to third parties)?(?:,? net)?",
            r"total (?:net )?(?:sales|revenues?) and other (?:operating )?(?:revenues?|income)"
            r"|total (?:revenues?|sales) \(.*\)"
            r"|sales and other operating revenues?|total (?:\w+ ){1,2}revenues?|turnover",
            r"(?:net )?(?:revenues?|sales) ?\(.*\)|(?:net )?(?:revenues?|sales),? (?:including|net of"
            r"|less) .*",
        ),
        "i",
        not_parents=r"segment|^cost",
    ),
    _item(
        "cogs",
        "Cost of revenue",
        r"(?:total )?(?:costs? of (?:goods sold|products? sold|sales|revenues?|goods|net revenues?"
        r"|merchandise sold|products? and services sold|products?)|cogs)",
        (
            r"total (?:costs? of|costs? of net) (?:goods sold|sales|revenues?|products? sold|products?"
            r"|net revenues?|net sales|services?|operations"
            rf"|products? and services?(?: sold)?|sales and services){_EXCLUDING}",
            rf"costs? of (?:goods sold|goods|sales|revenues?|products? sold|net revenues?|net sales"
            rf"|merchandise sold|merchandise|operating revenues?"
            rf"|products? and services?(?: sold)?|sales and services|goods and services(?: sold)?"
            rf"|services and products|sales and other operating expenses){_EXCLUDING}",
            r"costs? of (?:goods sold|sales|revenues?)[,;]? (?:buying )?(?:and )?(?:occupancy|buying"
            r"|distribution|warehousing).*"
            r"|(?:direct |operating )?costs? of revenues? .*",
        ),
        "i",
        magnitude=True,
        parts=(
            r"costs? of (?:products?|services?|goods|equipment|subscriptions?|licen[cs]es?|maintenance"
            r"|sales of .*|(?:\w+ ){1,3}revenues?|wireless equipment|revenues? - .*|products? sold"
            r"|services? sold)(?: sold| revenues?)?",
        ),
    ),
    _item(
        "gross_profit",
        "Gross profit",
        r"gross (?:profits?|income)",
        (r"(?:total )?gross (?:profit|margin|income)(?: .*)?",),
        "i",
        derived="revenue - cogs",
    ),
    _item(
        "sga",
        "Selling, general and administrative expense",
        r"sg ?(?:&|and) ?a(?: expenses?| costs?)?|selling,? general,? (?:and|&) administrative(?: expenses?"
        r"| costs?)?|selling and administrative(?: expenses?)?",
        (
            r"(?:total )?(?:selling|marketing"
            r"|sales),? (?:informational )?(?:marketing )?(?:general )?,?(?:and )?(?:general,? )?(?:and "
            r")?administrative(?: and other)?(?: expenses?| costs?)?",
            r"(?:total )?selling, (?:general|informational|marketing).*administrative.*"
            r"|operating, selling, general and administrative expenses?",
            r"selling and administrative expenses?|general, selling and administrative expenses?",
        ),
        "i",
        magnitude=True,
    ),
    _item(
        "ga",
        "General and administrative expense",
        r"g ?& ?a(?: expenses?)?|general (?:and|&) administrative(?: expenses?| costs?)?",
        (r"(?:total )?general and administrative(?: expenses?| costs?)?",),
        "i",
        magnitude=True,
    ),
    _item(
        "marketing",
        "Sales and marketing expense",
        r"sales (?:and|&) marketing(?: expenses?| costs?)?|marketing(?: expenses?| costs?| spend(?:ing)?)"
        r"|selling expenses?",
        (
            r"(?:total )?(?:sales|selling) and marketing(?: expenses?| costs?)?",
            r"marketing(?: expenses?| costs?)?|marketing and (?:advertising|promotion"
            r"|selling)(?: expenses?)?|selling(?: expenses?)?",
        ),
        "i",
        magnitude=True,
    ),
    _item(
        "rnd",
        "Research and development expense",
        r"r ?(?:&|and) ?d(?: expenses?| costs?| spend(?:ing)?| expenditures?)?|research (?:and"
        r"|&) development(?: expenses?| costs?| spending)?",
        (
            r"(?:total )?research and development(?: expenses?| costs?)?(?:,? net.*|,? excluding.*)?",
            r"research,? development (?:and|&) (?:related|engineering)(?: expenses?)?|(?:technology"
            r"|product) and development(?: expenses?)?|engineering, research and development.*"
            r"|research, development and engineering.*",
        ),
        "i",
        magnitude=True,
    ),
    _item(
        "operating_expenses",
        "Total operating expenses",
        r"(?:total )?operating (?:expenses?|costs?)(?: and expenses?)?|opex|total (?:costs and )?expenses?",
        (
            r"total operating (?:expenses?|costs?)(?: and expenses?)?(?:,? net)?",
            r"total (?:costs and )?expenses?|total costs(?: and expenses?)?|operating expenses"
            r"|costs and expenses",
        ),
        "i",
        magnitude=True,
    ),
    _item(
        "restructuring",
        "Restructuring charges",
        r"restructuring (?:costs?|charges?|expenses?)(?: and (?:impairment|other) (?:charges?|costs?))?",
        (
            r"restructuring(?: costs?| charges?| expenses?)?(?:,? net)?",
            r"(?:restructuring|reorganization)(?:,? .*)?(?: and .*)?(?:charges?|costs?|expenses?|activities"
            r"|net|other)",
        ),
        "ic",
    ),
    _item(
        "operating_income",
        "Operating income",
        r"(?:unadjusted |gaap |total )*(?:operating (?:income|profits?|earnings|loss|results?)|(?:income"
        r"|profits?|earnings|loss) from operations|ebit)",
        (
            r"(?:total )?(?:consolidated )?operating (?:income|profit|earnings|loss)"
            r"|(?:total )?(?:consolidated )?(?:income|earnings|profit|loss) from operations",
            r"income from operations .*|operating (?:income|profit|loss) \(.*\)|(?:income"
            r"|earnings) from operating activities",
        ),
        "i",
        not_parents=r"segment",
    ),
    _item(
        "interest_expense",
        "Interest expense",
        r"(?:total |net |gross )*(?:interest|finance) (?:expenses?|costs?)(?: net)?",
        (
            r"(?:total )?interest expenses?|interest(?: and (?:debt|financing|other debt"
            r"|related))? expenses?",
            r"interest expenses?(?:,? (?:net|including|excluding|less|on|net of).*|.* - .*)"
            r"|interest expense and (?:other|related).*|finance costs?|interest and debt expense.*",
            r"net interest expense(?: and other)?|interest,? net|interest expense \(.*",
        ),
        "i",
        magnitude=True,
    ),
    _item(
        "interest_income",
        "Interest income",
        r"interest income",
        (
            r"(?:total )?interest income(?: and other)?(?:,? net)?|interest and (?:investment"
            r"|dividend) income",
        ),
        "i",
    ),
    _item(
        "pretax_income",
        "Income before income taxes",
        r"(?:pre-?tax|before[- ]tax) (?:income|earnings|profits?|loss)|(?:income|earnings"
        r"|profits?) before (?:income )?tax(?:es)?|ebt",
        (
            r"(?:total )?(?:consolidated )?(?:income|earnings|profit"
            r"|loss)(?: from continuing operations)? before (?:provision for |benefit from "
            r"|benefit for )*(?:income )?tax(?:es)?(?: expense| provision)?(?: on income)?",
            r"pre-?tax (?:income|earnings|profit)|(?:income|earnings|profit"
            r"|loss).{0,60}\bbefore\b.{0,40}\btax(?:es)?\b.*",
        ),
        "i",
    ),
    _item(
        "income_tax",
        "Income tax expense",
        r"(?:total )?(?:provision|benefit) for (?:income )?taxes|income tax(?:es)?(?: expenses?| provision"
        r"| charge)?|tax (?:expense|provision|charge)s?",
        (
            r"(?:total )?(?:provision|benefit) (?:for|from) (?:income )?taxes(?: on income)?"
            r"|(?:total )?(?:provision|benefit) for \(?benefit from\)? income taxes",
            r"(?:total )?income tax(?:es)?(?: expense| provision| benefit)?(?:,? net)?|income taxes"
            r"|taxes on (?:income|earnings)|(?:tax|taxation) expense",
            r"(?:provision|benefit).{0,30}\bincome tax(?:es)?\b.*|income tax (?:expense|provision"
            r"|benefit)\b.*",
        ),
        "i",
        not_parents=_SUPPLEMENT,
    ),
    _item(
        "net_income",
        "Net income",
        r"(?:total |gaap |unadjusted |consolidated )*(?:net (?:income|earnings|profits?|loss)"
        r"|bottom[- ]line|profits? after tax|profits? for the (?:year|period|quarter))",
        (
            r"(?:consolidated )?net (?:income|earnings|profit|loss)(?: \(loss\))?"
            r"|consolidated net (?:income|profit).*",
            r"net (?:income|earnings|profit|loss),? (?:including|before) .*(?:non-?controlling"
            r"|minority).*|(?:profit|loss) for the (?:year|period|quarter)(?: .*)?",
            r"net (?:income|earnings|profit|loss) (?:attributable|available"
            r"|applicable) to (?!.*(?:non-?controlling|minority|per (?:common )?share)).*",
        ),
        "ic",
    ),
    _item(
        "net_income_attributable",
        "Net income attributable to shareholders",
        r"net (?:income|earnings|profit|loss) (?:attributable|available"
        r"|applicable) to (?:(?:the )?(?:company|parent|common|ordinary|its)?'?s? ?(?:shareholders"
        r"|stockholders|shareowners|owners|stock|company)?)(?: of the (?:company|parent))?",
        (
            r"(?:consolidated )?(?:net )?(?:income|earnings|profit|loss) (?:attributable|available"
            r"|applicable) to (?!.*(?:non-?controlling|minority|per (?:common )?share|participating)).*",
            r"(?:consolidated )?net (?:income|earnings|profit|loss)",
        ),
        "i",
    ),
    _item(
        "net_interest_income",
        "Net interest income",
        r"net interest income",
        (r"(?:total )?net interest income",),
        "i",
    ),
    _item(
        "provision_credit_losses",
        "Provision for credit losses",
        r"(?:total )?provisions? for (?:credit|loan) losses",
        (r"(?:total )?provisions? for (?:credit|loan|loan and lease) losses",),
        "i",
    ),
    _item(
        "eps_diluted",
        "Diluted earnings per share",
        r"(?:gaap |reported )*(?:diluted (?:net )?(?:earnings|income|eps"
        r"|loss)(?: per (?:common )?share)?(?: \(eps\))?|(?:earnings|income) per diluted (?:common )?share"
        r"|eps|earnings per (?:common )?share)(?: diluted)?",
        (
            rf"diluted (?:net )?(?:earnings|income|profit|loss)?(?: |-)*per {_SHARE}(?: attributable.*"
            rf"| of .*| \(in .*)?|(?:net )?(?:earnings|income|loss) per {_SHARE}[ ,(:-]*"
            rf"(?:assuming dilution|diluted)\)?(?: .*)?|diluted eps",
            rf"(?:net )?(?:earnings|income|loss) per diluted {_SHARE}.*|(?:earnings"
            rf"|income) per {_SHARE} \(?diluted\)?.*|diluted earnings per .*",
            r"(?:total )?(?:- |assuming )?dilut(?:ed|ion)(?: net income"
            r"| earnings)?(?: \(in dollars per share\))?",
            rf"(?:net )?(?:earnings|income|loss) per {_SHARE} .*\b(?:diluted|assuming dilution)",
            rf"net (?:income|earnings) (?:attributable|available) to .*\bper {_SHARE}.*",
            r"net (?:income|earnings)(?: attributable to (?!non).*)?",
        ),
        "i",
        kind="per_share",
        parents=r"dilut|\bper (?:common |ordinary |diluted |basic )*share|earnings per|\beps\b",
        not_parents=r"average|number of|shares used|shares outstanding",
    ),
    _item(
        "eps_basic",
        "Basic earnings per share",
        r"basic (?:net )?(?:earnings|income|eps|loss)(?: per (?:common )?share)?|(?:earnings"
        r"|income) per basic (?:common )?share",
        (
            rf"basic (?:net )?(?:earnings|income|profit|loss)?(?: |-)*per {_SHARE}(?: attributable.*"
            rf"| of .*)?|(?:net )?(?:earnings|income|loss) per {_SHARE}[ ,(:-]*basic\)?(?: .*)?|basic eps",
            rf"(?:net )?(?:earnings|income|loss) per basic {_SHARE}.*|(?:earnings"
            rf"|income) per {_SHARE} \(?basic\)?.*|basic earnings per .*",
            r"(?:total )?(?:- )?basic(?: net income| earnings)?",
            rf"(?:net )?(?:earnings|income|loss) per {_SHARE} .*\bbasic",
            r"net (?:income|earnings)(?: attributable to (?!non).*)?",
        ),
        "i",
        kind="per_share",
        parents=r"basic|\bper (?:common |ordinary |diluted |basic )*share|earnings per|\beps\b",
        not_parents=r"average|number of|shares used|shares outstanding",
    ),
    _item(
        "shares_diluted",
        "Diluted weighted average shares",
        r"(?:diluted (?:weighted[- ]average )?(?:common )?shares(?: outstanding)?"
        r"|(?:weighted[- ]average )?diluted shares(?: outstanding)?"
        r"|weighted[- ]average (?:common )?shares (?:outstanding )?(?:-|,|\()? ?diluted\)?)",
        (
            r"(?=.*\bshares\b)(?=.*\b(?:average|used|number)\b)(?=.*\b(?:diluted|assuming dilution)\b).*"
            r"|diluted (?:common )?shares(?: outstanding)?",
            r"(?:- )?diluted|assuming dilution",
        ),
        "i",
        kind="shares",
        parents=r"average|number of|shares",
    ),
    _item(
        "shares_basic",
        "Basic weighted average shares",
        r"(?:basic (?:weighted[- ]average )?(?:common )?shares(?: outstanding)?"
        r"|weighted[- ]average (?:basic )?(?:common )?shares(?: outstanding)?)",
        (
            r"(?=.*\bshares\b)(?=.*\b(?:average|used|number)\b)(?=.*\bbasic\b).*"
            r"|basic (?:common )?shares(?: outstanding)?",
            r"(?:- )?basic",
        ),
        "i",
        kind="shares",
        parents=r"average|number of|shares",
    ),
    _item(
        "dividends_per_share",
        "Dividends declared per share",
        r"(?:cash )?dividends? (?:declared |paid )*per (?:common )?share|dps",
        (
            r"(?:cash )?dividends?(?: declared| paid)*(?: and paid)? per (?:common |ordinary )?(?:share"
            r"|stock).*",
        ),
        "i",
        kind="per_share",
    ),
    # --- balance sheet ---
    _item(
        "cash",
        "Cash and cash equivalents",
        r"cash (?:and|&) (?:cash )?equivalents|cash balances?|cash on hand|cash(?! (?:flow|from|paid"
        r"|dividend|provided|generated|used|conversion|ratio|return))",
        (
            r"(?:total )?cash and (?:cash |temporary cash )?(?:equivalents|investments)(?: .*)?",
            r"cash, cash equivalents(?! and (?:short|marketable)).*|cash and due from banks|cash",
            r"cash(?:,| and).*(?:investments|securities).*",
        ),
        "b",
    ),
    _item(
        "short_term_investments",
        "Short-term investments",
        r"short[- ]term investments?|(?:current )?marketable securities",
        (
            r"(?:total )?short-term (?:and other )?investments?(?: .*)?"
            r"|(?:current )?marketable securities(?:,? current)?|marketable securities.*|current investments",
        ),
        "b",
        not_parents=r"non-?current|long-term",
    ),
    _item(
        "receivables",
        "Accounts receivable, net",
        r"(?:net |trade |year-end )*(?:accounts receivables?|receivables?|ar)(?:,? net)?",
        (
            rf"(?:trade |accounts |customer |net )*(?:accounts |and notes |notes and "
            rf"|trade )*receivables?(?:,? trade)?{_NET_OF}(?: \(.*)?",
            r"(?:total )?(?:trade |accounts )?receivables?(?:,| -| and).*(?:net|less|allowance).*"
            r"|accounts and (?:notes|other) receivables?.*|receivables?,? .*",
        ),
        "b",
    ),
    _item(
        "inventory",
        "Inventories",
        r"(?:total |net |merchandise )*inventor(?:y|ies)(?: net| balance| levels?)?",
        (
            rf"(?:total |merchandise |net )*inventor(?:y|ies){_NET_OF}(?: .*)?",
            r"materials and supplies(?:,? .*)?|inventories and .*",
        ),
        "b",
        children=True,
    ),
    _item(
        "prepaid",
        "Prepaid expenses and other current assets",
        r"prepaid expenses?(?: and other current assets)?|other current assets",
        (
            r"prepaid expenses?(?: and other(?: current)?(?: assets)?)?"
            r"|prepaid(?:s)? and other(?: current assets)?|other current assets|prepayments.*",
        ),
        "b",
    ),
    _item(
        "current_assets",
        "Total current assets",
        r"(?:total )?current assets|short-?term assets",
        (r"total current assets|current assets",),
        "b",
    ),
    _item(
        "ppe",
        "Property, plant and equipment, net",
        r"(?:net )?(?:pp ?& ?e|ppne|property,? plant,? (?:and|&) equipment|property (?:and|&) equipment"
        r"|fixed assets)(?:,? net)?(?: \(ppne\)| \(pp&e\))?",
        (
            r"(?:total )?(?:net )?(?:property|premises|land)(?:[, ]+(?:plant|equipment|buildings?|software"
            r"|fixtures|and|improvements|leasehold|capitalized|satellite|timber"
            r"|equipment))*(?:,? -? ?(?:net|at cost,? (?:net|less).*|less accumulated.*|net of .*))",
            r"(?:total )?net (?:property|premises|plant)\b.*"
            r"|(?:total )?property,? plant,? and equipment,? .*\bnet\b.*"
            r"|(?:total )?property and equipment.* net|utility plant,? net|net utility plant"
            r"|property, plant and equipment at cost, net.*",
            r"(?:property,? plant,? and equipment|property and equipment|fixed assets"
            r"|land, buildings and equipment"
            r"|net investment in property)",
        ),
        "b",
        not_parents=r"accumulated",
    ),
    _item("goodwill", "Goodwill", r"goodwill", (r"(?:total )?goodwill(?:,? net)?(?: .*)?",), "b"),
    _item(
        "intangibles",
        "Intangible assets, net",
        r"(?:other |net |acquired )*intangible(?:s| assets)(?: net)?",
        (
            r"(?:total )?(?:other |acquired |purchased |identifiable |amortizable |net )*intangible(?:s"
            r"| assets)(?:,? net.*|, less.*)?",
        ),
        "b",
        children=True,
    ),
    _item(
        "total_assets",
        "Total assets",
        r"(?:total|overall) assets?|asset base|assets",
        (r"total assets|total consolidated assets",),
        "b",
    ),
    _item(
        "payables",
        "Accounts payable",
        r"(?:trade |accounts |net )*(?:payables?|accounts payable|ap)",
        (
            r"(?:total )?(?:trade )?accounts payables?(?:,? trade)?|trade (?:accounts )?payables?"
            r"|accounts payable - trade",
            r"(?:trade )?accounts payable (?:and|&) .*|accounts payable, .*|payables?(?: and .*)?",
        ),
        "b",
    ),
    _item(
        "accrued_liabilities",
        "Accrued liabilities",
        r"accrued (?:liabilities|expenses)",
        (
            r"(?:other )?accrued (?:liabilities|expenses)(?: and other.*)?"
            r"|accrued and other (?:current )?liabilities|accrued expenses .*",
        ),
        "b",
    ),
    _item(
        "deferred_revenue",
        "Deferred revenue",
        r"(?:current )?deferred revenues?|unearned revenues?|contract liabilities",
        (r"(?:total )?(?:current )?(?:deferred|unearned) revenues?.*|contract liabilities",),
        "b",
        parents=r"(?:^|\W)current liabilities",
    ),
    _item(
        "current_liabilities",
        "Total current liabilities",
        r"(?:total )?current liabilities|short-?term liabilities",
        (r"total current liabilities|current liabilities",),
        "b",
    ),
    _item(
        "long_term_debt",
        "Long-term debt",
        r"(?:net |total )?long[- ]term (?:debt|borrowings)",
        (
            r"long-term (?:debt|borrowings)(?:,? (?:net|less|excluding|net of|non-?current).*| \(.*)?",
            r"total long-term (?:debt|borrowings)(?: .*)?",
            r"long-term debt .*|(?:senior )?notes payable,? (?:net|less).*|debt,? (?:non-?current|long-term"
            r"|net of current|less current).*|non-?current (?:debt|borrowings).*|debt",
        ),
        "b",
        not_parents=r"(?:^|[^-n])current liabilities",
    ),
    _item(
        "total_debt",
        "Total debt",
        r"(?:total |gross |outstanding )*(?:debt|borrowings|indebtedness)(?: on (?:its|the) balance sheet"
        r"| outstanding)?",
        (r"total (?:debt|borrowings)(?: .*)?",),
        "b",
        parts=(
            r"(?!total)(?!.*(?:securities|issuance|deferred|receivable|trading|held|issued by|allowance"
            r"|interest|\bassets?\b))(?:.*\b(?:debt|borrowings|commercial paper|senior notes|notes payable"
            r"|loans payable|notes and loans|bonds|term loans?|current maturities.*)\b.*)",
        ),
    ),
    _item(
        "operating_lease_liabilities",
        "Operating lease liabilities",
        r"operating lease (?:liabilities|obligations)",
        (r"total operating lease (?:liabilities|obligations)",),
        "b",
        parts=(r".*\boperating lease (?:liabilities|obligations).*",),
    ),
    _item(
        "total_liabilities",
        "Total liabilities",
        r"(?:total )?liabilities",
        (r"total liabilities",),
        "b",
        derived="total_assets - total_equity",
    ),
    _item(
        "retained_earnings",
        "Retained earnings",
        r"retained earnings|accumulated deficit",
        (
            r"retained earnings.*|reinvested earnings|accumulated deficit|earnings retained.*"
            r"|income retained.*|accumulated earnings",
        ),
        "b",
    ),
    _item(
        "equity",
        "Shareholders' equity",
        r"(?:total |common )*(?:shareholders?'?|stockholders?'?|shareowners?'?|owners'?)(?:'s)? (?:equity"
        r"|funds)|book value|net worth",
        (
            r"total (?!.*liabilities)(?:\S+ ){1,6}shareholders (?:equity|investment|deficit)(?: .*)?"
            r"|(?:common )?shareholders equity",
            r"total shareholders (?:equity|investment|deficit)(?: .*)?",
            r"total equity(?! and liab).*|equity|total (?!.*liabilities)(?:\S+ ){0,5}equity(?! and liab).*",
        ),
        "b",
    ),
    _item(
        "total_equity",
        "Total equity",
        r"(?:total )?equity",
        (
            r"total equity(?! and liab).*|total shareholders (?:equity|investment|deficit)",
            r"total (?!.*liabilities)(?:\S+ ){0,6}shareholders (?:equity|investment|deficit)(?: .*)?"
            r"|(?:common )?shareholders equity",
        ),
        "b",
    ),
    # --- cash flow statement ---
    _item(
        "cfo",
        "Cash from operating activities",
        r"(?:net |total )*(?:operating cash ?flows?|cash ?(?:flows?)? ?(?:provided |generated |earned "
        r"|used |coming |received )*(?:from|by|in) (?:its )?(?:operations|operating activities)|cfo"
        r"|ocf)(?! (?:ratio|margin))",
        (
            r"(?:total )?(?:net )?cash (?:flows? )?(?:provided|generated|used|from"
            r"|inflow)?.{0,40}?\boperat(?:ing activities|ions)(?: - total)?",
            r"(?:net|total) cash.{0,60}\boperat(?:ing activities|ions)\b(?!.*discontinued).*"
            r"|cash flows? from operati(?:ng activities|ons)",
        ),
        "c",
    ),
    _item(
        "cfi",
        "Cash from investing activities",
        r"(?:net )?(?:investing cash ?flows?|cash ?(?:flows?)? ?(?:provided |generated |used "
        r"|spent )*(?:from|by|in|on|for) (?:its )?invest(?:ing|ment) activities|cfi)",
        (
            r"(?:total |net )*cash.{0,60}\binvest(?:ing|ment) activities(?: - total)?|(?:net"
            r"|total) cash.{0,60}\binvest(?:ing|ment) activities\b(?!.*discontinued).*",
        ),
        "c",
    ),
    _item(
        "cff",
        "Cash from financing activities",
        r"(?:net )?(?:financing cash ?flows?|cash ?(?:flows?)? ?(?:provided |generated |used )*(?:from|by"
        r"|in|for) (?:its )?financing activities|cff)",
        (
            r"(?:total |net )*cash.{0,60}\bfinancing activities(?: - total)?|(?:net"
            r"|total) cash.{0,60}\bfinancing activities\b(?!.*discontinued).*",
        ),
        "c",
    ),
    _item(
        "dna",
        "Depreciation and amortization",
        r"(?:total )?(?:depreciation,? (?:and|&) amorti[sz]ation|d ?(?:&"
        r"|and) ?a)(?: expenses?)?(?! (?:margin))",
        (
            r"(?:total )?depreciation(?:,| and|/"
            r"| \+)+ ?(?:depletion(?: and)? )?amortization(?: expenses?)?(?! of (?:debt|deferred"
            r"|financing)).*",
            r"depreciation, (?:depletion|amortization|accretion).*|amortization and depreciation.*",
        ),
        "ci",
        magnitude=True,
        parts=(
            r"depreciation(?: expense| of .*)?",
            r"amortization(?: expense)?(?: of (?:acquired|purchased|other|acquisition-related|identifiable"
            r"|finite-lived)? ?(?:intangible|intangibles).*| of (?:purchased|acquired) .*)?",
        ),
        not_parents=_SUPPLEMENT,
    ),
    _item(
        "sbc",
        "Stock-based compensation",
        r"(?:stock|share|equity)[- ]based comp(?:ensation)?(?: expenses?| costs?)?",
        (
            r"(?:stock|share|equity|non-?cash stock)(?:-| )based comp(?:ensation)?.*"
            r"|share-based payments?.*|stock compensation.*",
        ),
        "c",
        magnitude=True,
    ),
    _item(
        "capex",
        "Capital expenditures",
        r"cap(?:ital)? ?ex(?:penditures?)?(?: amounts?| spend(?:ing)?)?|capital (?:expenditures?|spending"
        r"|investments?)|(?:property|pp&e) additions|(?:spen[dt]|invest(?:ed)?|pa(?:y|id)) (?:on|in"
        r"|for) (?:new )?"
        r"(?:property(?:,? plant)?,? (?:and|&) equipment|pp ?& ?e|fixed assets)"
        r"|(?:purchases?|additions?) (?:of|to) (?:property(?:,? plant)?,? (?:and|&) equipment|pp&e)",
        (
            r"(?:net |gross )?capital (?:expenditures?|spending|investments?)(?!.*(?:accrued|unpaid"
            r"|acquired on account|non-?cash|included in|in accounts)).*",
            r"(?:cash )?(?:paid for )?(?:purchases?|acquisitions?|additions?|payments?|expenditures?"
            r"|investments?|cash paid|outlays?)\b.{0,45}\b(?:property|plant|premises|fixed assets"
            r"|land, buildings|capital assets)\b(?!.*(?:accrued|unpaid|in accounts payable|under finance)).*",
            r"(?:property|plant)\b.{0,40}\b(?:additions|expenditures|acquired)|construction expenditures.*"
            r"|(?:additions|purchases) to .*(?:plant|equipment).*|plant (?:construction|expenditures).*"
            r"|(?:purchases?|additions?) (?:of|to) (?:\w+ ){0,3}equipment",
        ),
        "c",
        magnitude=True,
        not_parents=_SUPPLEMENT,
    ),
    _item(
        "dividends_paid",
        "Dividends paid",
        r"(?:total |cash )*dividends? (?:paid|payments?|distributed)(?: to (?:common )?(?:shareholders"
        r"|stockholders))?|(?:total )?(?:cash )?dividends",
        (
            r"(?:cash )?dividends?(?: payments?)?(?: paid)?(?: (?:on|to) (?:common|ordinary) (?:stock"
            r"|shares|shareholders))?(?: - common(?: stock)?)?",
            r"(?:payments? (?:of|for) )?(?:cash )?(?:common )?(?:stock |share )?dividends?(?! (?:received"
            r"|from|declared|payable))(?!.*(?:non-?controlling|per share)).*|(?:payment"
            r"|distribution)s? (?:of|for) (?:cash )?dividends(?!.*non-?controlling).*",
        ),
        "c",
        magnitude=True,
        not_parents=_SUPPLEMENT,
    ),
    _item(
        "repurchases",
        "Share repurchases",
        r"(?:own )?(?:stock|shares) (?:did )?(?:it )?(?:repurchased?|buy back|bought back)"
        r"|(?:share|stock) (?:repurchases?|buy-?backs?)|(?:repurchases?|buy-?backs?) of (?:common |its "
        r"|treasury )*(?:stock|shares)",
        (
            r"(?:re)?purchases? of (?:common|treasury|company|shares|stock|ordinary|capital|its|class)\b.*"
            r"|(?:payments? (?:for|to) )?(?:re)?purchases? of (?:common|treasury).*",
            r"(?:common )?(?:share|stock|shares) (?:repurchase[ds]?|buy-?backs?|repurchase program).*"
            r"|(?:treasury|common) (?:stock|shares) (?:purchase[sd]?|acquired|repurchased).*"
            r"|acquisitions? of (?:treasury|common) (?:stock|shares).*",
        ),
        "c",
        magnitude=True,
    ),
    _item(
        "acquisitions",
        "Acquisitions",
        r"(?:cash (?:paid|spent) (?:for|on) )acquisitions",
        (
            r"(?:payments? for )?(?:business )?acquisitions?(?: of businesses)?(?:,? net of cash.*)?"
            r"|payments? for (?:business )?acquisitions.*|acquisitions? of businesses.*",
        ),
        "c",
        magnitude=True,
    ),
    _item(
        "interest_paid",
        "Interest paid",
        r"(?:cash )?interest paid|cash paid for interest",
        (
            r"(?:cash paid for )?interest(?: paid)?(?:,? net.*)?|cash paid.{0,30} interest.*"
            r"|interest payments.*",
        ),
        "c",
        parents=r"supplement|paid|disclosure",
        magnitude=True,
    ),
    _item(
        "taxes_paid",
        "Income taxes paid",
        r"(?:cash )?(?:income )?taxes paid|cash paid for (?:income )?taxes",
        (r"(?:cash paid for )?income taxes(?: paid)?(?:,? net.*)?|cash paid.{0,30} income taxes.*",),
        "c",
        parents=r"supplement|paid|disclosure",
        magnitude=True,
    ),
)
BY_NAME = {item.name: item for item in ITEMS}
