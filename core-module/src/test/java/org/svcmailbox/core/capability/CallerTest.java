package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.envelope.TopicName;

class CallerTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Optional<Denial> ALLOWED = Optional.empty();
  private static final String ENDED = "expires < 2026-11-20T12:00:00Z";

  private final SampleCallers people = new SampleCallers();

  /** Caveats that deny an ACK in topic orders, and their denials. */
  private static final Map<String, Denial> NEVER_FORGIVEN =
      Map.of(
          "topic = refunds", Denial.TOPIC,
          "ops = send,recv", Denial.OPERATION,
          "ip = 10.0.0.0/8", Denial.ADDRESS,
          "not_before > 2026-11-20T12:00:00Z", Denial.NOT_YET,
          "topic=orders", Denial.UNKNOWN_CAVEAT);

  private static Optional<Denial> settling(Caller caller, int holder) {
    CapabilityId id = SampleCallers.capability(holder).id();
    return caller.settlingDenial(Operation.ACK, ORDERS, id);
  }

  private Caller over(Denial why, String... caveats) {
    return switch (why) {
      case EXPIRED -> people.caller(1, concat(ENDED, caveats));
      case REVOKED -> people.caller(1, Standing.REVOKED, caveats);
      case UNVERIFIED -> people.caller(1, Standing.UNVERIFIED, caveats);
      default -> throw new IllegalArgumentException(why.text());
    };
  }

  private static String[] concat(String first, String... rest) {
    List<String> all = new java.util.ArrayList<>(List.of(first));
    all.addAll(List.of(rest));
    return all.toArray(String[]::new);
  }

  private static Denial denied(Runnable call, Denial as) {
    DeniedException denied = assertThrows(DeniedException.class, call::run);
    assertEquals(as.text(), denied.reason());
    assertEquals(as.problem(), denied.problem());
    return as;
  }

  @ParameterizedTest
  @EnumSource(names = {"EXPIRED", "REVOKED", "UNVERIFIED"})
  void whatIsOverIsForgivenTheHolderAndNobodyElse(Denial why) {
    Caller caller = over(why);
    assertEquals(Optional.of(why), caller.denial(Operation.ACK, ORDERS));
    assertEquals(ALLOWED, settling(caller, 1));
    assertEquals(Optional.of(why), settling(caller, 2));
    assertEquals(Optional.of(why), caller.settlingDenial(Operation.ACK, ORDERS, null));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXPIRED", "REVOKED", "UNVERIFIED"})
  void onlyAnOutageOfTheDatabaseLetsAHolderExtend(Denial why) {
    CapabilityId holder = SampleCallers.capability(1).id();
    assertEquals(
        why == Denial.UNVERIFIED ? ALLOWED : Optional.of(why),
        over(why).settlingDenial(Operation.EXTEND, ORDERS, holder));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXPIRED", "REVOKED", "UNVERIFIED"})
  void nothingElseIsForgivenAlsoNotTheHolderWhoseCapabilityIsOver(Denial why) {
    NEVER_FORGIVEN.forEach(
        (caveat, denial) -> {
          assertEquals(Optional.of(denial), settling(over(why, caveat), 1), caveat);
          assertEquals(Optional.of(denial), settling(people.caller(1, caveat), 1), caveat);
        });
  }

  @Test
  void whatIsLearntWhileTheyAreInHoldsAtOnce() {
    Caller caller = people.caller(1);
    assertEquals(ALLOWED, caller.denial(Operation.SEND, ORDERS));
    people.revoke(caller);
    assertEquals(Optional.of(Denial.REVOKED), caller.denial(Operation.SEND, ORDERS));
    assertEquals(ALLOWED, settling(caller, 1));
    Caller unverified = over(Denial.UNVERIFIED);
    assertEquals(Optional.of(Denial.REVOKED), unverified.denial(Operation.SEND, ORDERS));
  }

  @Test
  void whateverTheTopicOnlyTheTopicIsNoReason() {
    assertEquals(ALLOWED, people.caller(1, "topic = refunds").denialAnywhere(Operation.ACK));
    NEVER_FORGIVEN.forEach(
        (caveat, denial) -> {
          Optional<Denial> expected = denial == Denial.TOPIC ? ALLOWED : Optional.of(denial);
          assertEquals(
              expected, people.caller(1, "topic = orders", caveat).denialAnywhere(Operation.ACK));
        });
    assertEquals(Optional.of(Denial.REVOKED), over(Denial.REVOKED).denialAnywhere(Operation.ACK));
    assertDoesNotThrow(() -> people.caller(1, "topic = a").requireAnywhere(Operation.DLQ));
    Caller useless = people.caller(1, "topic = a", "ops = send");
    denied(() -> useless.requireAnywhere(Operation.DLQ), Denial.OPERATION);
  }

  @Test
  void whatConcernsNoSingleTopicNeedsOneWithoutATopic() {
    Caller caller = people.caller(1, "topic = orders");
    denied(() -> caller.require(Operation.SEND, null), Denial.TOPIC);
    assertDoesNotThrow(() -> caller.require(Operation.SEND, ORDERS));
  }

  @Test
  void eitherOfTwoRightsWillDo() {
    for (String ops : List.of("ops = peek", "ops = admin", "ops = peek,admin")) {
      Caller caller = people.caller(1, ops);
      assertDoesNotThrow(() -> caller.requireEither(Operation.PEEK, Operation.ADMIN, ORDERS));
    }
    assertEquals(0, people.denials(), "who may is denied nothing");
    Caller neither = people.caller(1, "ops = send");
    denied(() -> neither.requireEither(Operation.PEEK, Operation.ADMIN, ORDERS), Denial.OPERATION);
    Caller elsewhere = people.caller(1, "ops = peek,admin", "topic = refunds");
    denied(() -> elsewhere.requireEither(Operation.PEEK, Operation.ADMIN, ORDERS), Denial.TOPIC);
    assertEquals(2, people.denials());
  }

  @Test
  void everyDenialIsNotedOnceAndNothingElseIs() {
    Caller caller = people.caller(1, "ops = send", ENDED);
    people.caller(2).denial(Operation.SEND, ORDERS);
    assertEquals(0, people.denials());
    caller.denial(Operation.RECV, ORDERS);
    caller.denialAnywhere(Operation.RECV);
    settling(caller, 1);
    denied(() -> caller.require(Operation.RECV, ORDERS), Denial.OPERATION);
    assertEquals(4, people.denials());
  }
}
