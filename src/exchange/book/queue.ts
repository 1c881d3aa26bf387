/** A member of a queue. */
export interface Queued<Self> {
  before: Self | undefined;
  after: Self | undefined;
}

/** A queue whose members know their neighbors, so that one leaves the middle in O(1). */
export interface Queue<Member> {
  head: Member | undefined;
  tail: Member | undefined;
}

export function createQueue<Member>(): Queue<Member> {
  return { head: undefined, tail: undefined };
}

export function append<Member extends Queued<Member>>(queue: Queue<Member>, member: Member): void {
  member.before = queue.tail;
  member.after = undefined;
  if (queue.tail === undefined) queue.head = member;
  else queue.tail.after = member;
  queue.tail = member;
}

export function leave<Member extends Queued<Member>>(queue: Queue<Member>, member: Member): void {
  if (member.before === undefined) queue.head = member.after;
  else member.before.after = member.after;
  if (member.after === undefined) queue.tail = member.before;
  else member.after.before = member.before;
}

/** Goes through a queue, head first. */
export function* membersOf<Member extends Queued<Member>>(queue: Queue<Member>): Iterable<Member> {
  for (let member = queue.head; member !== undefined; member = member.after) yield member;
}
