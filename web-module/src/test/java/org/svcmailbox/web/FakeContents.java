package org.svcmailbox.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.message.StoredMessage;

/** Empty topics that record the last call. */
public final class FakeContents implements TopicContents, LedgerService {
  /** The last call with its arguments. */
  public volatile String asked = "";

  /** The next answer for scheduled messages. */
  public volatile ScheduledPage scheduled = new ScheduledPage(List.of(), null);

  /** The next answer of a verification. */
  public volatile LedgerVerdict verdict = new LedgerVerdict.Intact(0);

  @Override
  public List<StoredMessage> peek(
      Caller caller, TopicName topic, @Nullable Integer shard, int limit) {
    asked = "peek " + topic + " " + shard + " " + limit;
    return List.of();
  }

  @Override
  public ScheduledPage scheduled(
      Caller caller, TopicName topic, ScheduledMessage.Position after, int limit) {
    asked = "scheduled " + topic + " " + after.due().toEpochMilli() + " " + limit;
    return scheduled;
  }

  @Override
  public void cancelScheduled(Caller caller, TopicName topic, MsgId msgId) {
    asked = "cancel " + topic + " " + msgId;
  }

  @Override
  public long purge(Caller caller, TopicName topic) {
    asked = "purge " + topic;
    return 7;
  }

  @Override
  public Stretch ledger(Caller caller, TopicName topic, int shard, long from, int limit) {
    asked = "ledger " + topic + " " + shard + " " + from + " " + limit;
    return new Stretch(LedgerHead.EMPTY, List.of());
  }

  @Override
  public LedgerVerdict verify(Caller caller, TopicName topic, int shard, long from) {
    asked = "verify " + topic + " " + shard + " " + from;
    return verdict;
  }
}
