package org.svcmailbox.web;

import java.time.Instant;
import java.util.List;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.condition.BrokerStanding;
import org.svcmailbox.core.condition.Condition;
import org.svcmailbox.core.condition.ConditionKind;
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/** A service of which a part is down and a topic has new letters. */
public final class FakeState implements StateService {
  @Override
  public ServiceState state(Caller caller) {
    return new ServiceState(
        "1.2.3",
        Instant.EPOCH,
        "durable",
        new DiskRoom(7, 3),
        5,
        new BrokerStanding("external", "b1.example:61616", true),
        List.of(
            new Condition(
                ConditionKind.PART_DOWN, Instant.EPOCH.plusSeconds(1), null, "database", null),
            new Condition(
                ConditionKind.LETTERS_NEW,
                Instant.EPOCH.plusSeconds(2),
                new TopicName("orders"),
                "rejected",
                12.0)),
        3);
  }
}
