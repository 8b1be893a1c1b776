/** Spots to begin with, one click each. */

/** @type {{title: string, text: string, address: string}[]} */
export const EXAMPLES = [
  {
    title: "Aces against a rundown",
    text: "Before the flop, exactly",
    address: "?g=plo4&p=AhAsKhKs&p=9c8c7d6d",
  },
  {
    title: "A set against a wrap",
    text: "On the flop: which turn cards help?",
    address: "?g=plo4&p=JcJd9h8s&p=QsTs9d8d&b=Js7s2d&v=next",
  },
  {
    title: "Against a range",
    text: "Double-suited aces against the best 10 %",
    address: "?g=plo4&p=AhAsKhQs&p=10%25&b=Kd9h4c",
  },
  {
    title: "Hi/lo, three ways",
    text: "Who scoops, and who is quartered",
    address: "?g=o8&p=AsKdQd2s&p=Ac4d3h2h&p=JcTc9c9d&b=9s7s6h",
  },
  {
    title: "All in, with side pots",
    text: "Three stacks, rake, expected chips",
    address: "?g=plo4&p=AhAsKhKs&p=9c8c7d6d&p=QdQcJdTd&v=money&money.stacks=100,60,40"
      + "&money.pot=10&money.rake=5%25&money.cap=3",
  },
  {
    title: "What a range has",
    text: "Made hands and draws of a range on a flop",
    address: "?g=plo5&p=15%25&p=AhAsKhKsQd&b=Jh8h4c&v=texture",
  },
];
