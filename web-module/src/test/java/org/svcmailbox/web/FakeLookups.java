package org.svcmailbox.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.Biography;
import org.svcmailbox.core.lookup.Fact;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.lookup.Whereabouts;
import org.svcmailbox.core.problem.NotFoundException;

/** One leased message; records the last call. */
public final class FakeLookups implements LookupService {
  static final MsgId LEASED = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");

  /** The last call with its arguments. */
  public volatile String asked = "";

  @Override
  public Biography biography(Caller caller, MsgId msgId) {
    asked = "biography " + msgId;
    if (!msgId.equals(LEASED)) {
      throw new NotFoundException("no message is " + msgId);
    }
    Instant later = Instant.EPOCH.plusSeconds(30);
    return new Biography(
        msgId,
        Whereabouts.LEASED,
        true,
        later,
        new TopicName("orders"),
        3,
        17L,
        null,
        later,
        List.of(
            new Fact(Fact.Kind.SENT, Instant.EPOCH, false, null, null, ""),
            new Fact(Fact.Kind.LEDGER, null, true, null, null, "entry 17 of shard 3"),
            new Fact(Fact.Kind.LEASED, later, true, 2, "1".repeat(32), "")),
        Map.of("1".repeat(32), "shop 7"));
  }

  @Override
  public Matches byKey(Caller caller, TopicName topic, IdemKey key) {
    asked = "key " + topic + " " + key;
    return new Matches(
        List.of(
            new Match(LEASED, Source.KEY, null), new Match(LEASED, Source.LETTER, Instant.EPOCH)),
        true);
  }

  @Override
  public Matches byCorrId(Caller caller, TopicName topic, CorrId corrId) {
    asked = "corr_id " + topic + " " + corrId;
    return new Matches(List.of(), false);
  }
}
