package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.condition.BrokerStanding;
import org.svcmailbox.core.condition.Condition;
import org.svcmailbox.core.condition.ConditionKind;
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.core.condition.StateService.ServiceState;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.StatusHistory;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.health.Vitals;

/** The state of a whole mailbox, on a clock that the test moves. */
class StateReportTest {
  private static final BrokerStanding BROKER =
      new BrokerStanding("embedded", "in this process", null);

  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.metrics.topics",
              "1",
              "mailbox.alert_ready_age",
              "30s",
              "mailbox.disk_reserve",
              "" + (64L << 20)));
  private final Set<Part> down = EnumSet.noneOf(Part.class);
  private final Vitals vitals =
      part -> down.contains(part) ? Vital.down(part, "away") : Vital.up(part);
  private final StateReport report = begin();

  private StateReport begin() {
    return rig.mailbox()
        .stateReport(new StateReport.Ports(vitals, new StatusHistory(rig.clock), () -> BROKER));
  }

  private ServiceState state() {
    return report.state(SampleCallers.OPERATOR);
  }

  /** As upkeep does: a look at the queues each second, at the conditions each ten. */
  private void pass(Duration time) {
    for (long left = time.toSeconds(); left > 0; left -= 10) {
      rig.pass(Duration.ofSeconds(10));
      rig.mailbox().queues().step();
      report.look();
    }
  }

  private static List<ConditionKind> kinds(ServiceState state) {
    return state.conditions().stream().map(Condition::kind).toList();
  }

  private void reject(String topic, String key) {
    rig.send(topic, key, "x");
    LeasedMessage leased =
        assertInstanceOf(Delivered.class, rig.recvNow(topic, 1)).messages().get(0);
    rig.reject(leased.message().envelope().msgId(), leased.receipt());
  }

  @Test
  void aQuietServiceHasNoConditions() {
    rig.send("orders", "k", "x");
    report.look();
    ServiceState state = state();
    assertEquals(List.of(), state.conditions());
    assertEquals(0, state.leftOut());
    assertEquals("durable", state.dlqProfile());
    assertEquals(BROKER, state.broker());
  }

  @Test
  void aPartThatIsDownIsSeenAtTheCall() {
    report.observe();
    rig.pass(Duration.ofSeconds(7));
    down.add(Part.DATABASE);
    report.observe();
    Instant since = rig.clock.instant();
    rig.pass(Duration.ofSeconds(60));
    assertEquals(
        List.of(new Condition(ConditionKind.PART_DOWN, since, null, "database", null)),
        state().conditions());
    down.clear();
    assertEquals(List.of(), state().conditions());
  }

  @Test
  void theFirstFiftyAreListedPartsBeforeAll() {
    for (int i = 0; i < 52; i++) {
      reject("topic-" + i, "k");
    }
    report.look();
    down.add(Part.BROKER);
    ServiceState state = state();
    assertEquals(StateService.MOST_CONDITIONS, state.conditions().size());
    assertEquals(ConditionKind.PART_DOWN, state.conditions().get(0).kind());
    assertEquals(3, state.leftOut());
  }

  /** Metrics name one topic here. */
  @Test
  void lettersOfEveryTopicAreNewForAQuarterOfAnHour() {
    reject("named", "a");
    reject("other", "a");
    reject("other", "b");
    report.look();
    Instant since = rig.clock.instant();
    assertEquals(
        List.of(
            new Condition(
                ConditionKind.LETTERS_NEW, since, new TopicName("named"), "rejected", 1.0),
            new Condition(
                ConditionKind.LETTERS_NEW, since, new TopicName("other"), "rejected", 2.0)),
        state().conditions());
    pass(Duration.ofMinutes(15));
    assertEquals(List.of(), state().conditions());
  }

  @Test
  void aMessageThatNobodyTakesIsOverdue() {
    rig.send("orders", "k", "x");
    pass(Duration.ofMinutes(5));
    assertEquals(List.of(), state().conditions());
    pass(Duration.ofSeconds(60));
    assertEquals(List.of(ConditionKind.READY_OVERDUE), kinds(state()));
    assertEquals("nobody_receives", state().conditions().get(0).subject());
    rig.recv("orders", 1, Duration.ofHours(1), Duration.ZERO);
    pass(Duration.ofSeconds(10));
    assertEquals(List.of(), state().conditions());
  }

  @Test
  void fourSearchesForMessagesAreNoCondition() {
    assertTrue(rig.mailbox().limits().lookups().tryAdd(4));
    report.look();
    assertEquals(List.of(), state().conditions());
  }

  @Test
  void aDiskWithLessThanFourReservesIsLow() {
    rig.disk.room((256L << 20) - 1, 4L << 30);
    rig.pass(Duration.ofSeconds(1));
    report.look();
    assertEquals(List.of(ConditionKind.DISK_LOW), kinds(state()));
  }

  @Test
  void aRestartBeginsAgain() {
    reject("orders", "k");
    report.look();
    assertEquals(List.of(ConditionKind.LETTERS_NEW), kinds(state()));
    rig.restart();
    StateReport next = begin();
    next.look();
    assertEquals(List.of(), next.state(SampleCallers.OPERATOR).conditions());
  }

  @Test
  void onlyARightToAllTopicsSeesIt() {
    SampleCallers callers = new SampleCallers();
    assertEquals(List.of(), report.state(callers.caller(1, "ops = peek")).conditions());
    assertThrows(
        DeniedException.class,
        () -> report.state(callers.caller(2, "ops = peek", "topic = orders")));
    assertThrows(DeniedException.class, () -> report.state(callers.caller(3, "ops = send")));
  }
}
