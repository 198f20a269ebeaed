package org.svcmailbox.core.mailbox;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.Topic;

/**
 * The parts of operators' calls that the owners of shards carry out. Rights were checked and
 * changes audited before. Methods block, and throw {@code UnavailableException} if an owner does
 * not answer; a change may be half done then.
 */
interface OwnerTasks {
  /** The next messages of a shard or of all, in no order; more than {@code limit} perhaps. */
  List<StoredMessage> peek(Caller caller, Topic topic, @Nullable Integer shard, int limit);

  /** Removes all ready and delayed messages, and returns how many. */
  long purge(Caller caller, Topic topic);

  /** Removes a scheduled message; returns whether it was there. */
  boolean cancelScheduled(Caller caller, Topic topic, MsgId msgId);

  /** The oldest leases, in no order; more than {@code limit} perhaps. */
  List<HeldLease> leases(Caller caller, Topic topic, int limit);

  /** Ends leases, and returns how many. */
  long withdraw(Caller caller, Topic topic, LeaseSelection which);

  /** Returns when the database has each entry of a ledger whose SEND was answered before. */
  void followLedger(Caller caller, Topic topic, int shard);
}
