package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.HoldingService.LeaseHolding;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** Random programs whose leases two workers and a list agree on. */
class LeasesProgramTest {
  private static final Duration LONG = Duration.ofHours(12);
  private static final List<String> TOPICS = List.of("orders", "letters", "bills");
  private static final int STEPS = 250;

  private final SampleCallers people = new SampleCallers();
  private final List<Caller> callers =
      List.of(people.caller(1), people.caller(2), people.caller(3));
  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.workers", "2",
              "mailbox.ready_shards", "3",
              "mailbox.max_attempts", "1000"));

  /** In the order of their leases. */
  private final Map<MsgId, Model> model = new LinkedHashMap<>();

  private int sent;

  private record Model(String topic, LeasedMessage lease, String holder, long since) {
    boolean is(String ofTopic, LeaseSelection which) {
      return topic.equals(ofTopic) && which.has(holder, lease.message().envelope().msgId());
    }

    int size() {
      return lease.message().payload().size();
    }
  }

  private static String nonce(Caller caller) {
    return caller.capability().id().nonce();
  }

  private void lease(String topic, Caller caller, int most) {
    rig.caller = caller;
    var outcome = MailboxRig.answered(rig.recv(topic, most, LONG, Duration.ZERO).outcome());
    for (LeasedMessage one : assertInstanceOf(Delivered.class, outcome).messages()) {
      Model held = new Model(topic, one, nonce(caller), rig.time.nanos());
      assertEquals(null, model.put(one.message().envelope().msgId(), held), "two leases");
    }
  }

  private void ack(Model held) {
    MsgId id = held.lease().message().envelope().msgId();
    rig.caller = SampleCallers.OPERATOR;
    assertEquals(SettleOutcome.DONE, rig.ack(id, held.lease().receipt()));
    model.remove(id);
  }

  private LeaseSelection selection(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> LeaseSelection.ALL;
      case 1 -> LeaseSelection.of(nonce(callers.get(random.nextInt(3))));
      default -> {
        Set<MsgId> some = new HashSet<>();
        model.keySet().stream().filter(id -> random.nextInt(3) == 0).forEach(some::add);
        yield LeaseSelection.of(some);
      }
    };
  }

  private void end(String topic, LeaseSelection which) {
    long ended =
        rig.operate(
            () ->
                rig.holdings()
                    .withdraw(SampleCallers.OPERATOR, new TopicName(topic), which, "it hangs"));
    List<MsgId> expected =
        model.entrySet().stream()
            .filter(one -> one.getValue().is(topic, which))
            .map(Map.Entry::getKey)
            .toList();
    assertEquals(expected.size(), ended, () -> topic + " " + which);
    expected.forEach(model::remove);
  }

  /** A second later, so that the workers look again. */
  private void check() {
    rig.pass(Duration.ofSeconds(1));
    for (String topic : TOPICS) {
      List<HeldLease> listed =
          rig.operate(
              () -> rig.holdings().leases(SampleCallers.OPERATOR, new TopicName(topic), 100));
      List<Model> expected =
          model.values().stream().filter(one -> one.topic().equals(topic)).toList();
      assertEquals(
          expected.stream().collect(Collectors.toMap(LeasesProgramTest::id, Model::holder)),
          listed.stream().collect(Collectors.toMap(HeldLease::msgId, HeldLease::holder)));
      assertEquals(
          listed.stream().sorted(Comparator.comparing(HeldLease::leasedAt)).toList(), listed);
    }
    assertEquals(holders(), Set.copyOf(listedHolders()));
  }

  private static MsgId id(Model held) {
    return held.lease().message().envelope().msgId();
  }

  private List<LeaseHolding> listedHolders() {
    List<LeaseHolding> listed =
        rig.operate(() -> rig.holdings().leaseHolders(SampleCallers.OPERATOR));
    assertEquals(
        listed.stream().sorted(Comparator.comparingLong(one -> -one.count())).toList(), listed);
    return listed;
  }

  private Set<LeaseHolding> holders() {
    return model.values().stream().collect(Collectors.groupingBy(Model::holder)).entrySet().stream()
        .map(one -> holding(one.getKey(), one.getValue()))
        .collect(Collectors.toSet());
  }

  private LeaseHolding holding(String nonce, List<Model> held) {
    Map<String, Long> topics =
        held.stream().collect(Collectors.groupingBy(Model::topic, Collectors.counting()));
    long now = rig.time.nanos();
    long age = held.stream().mapToLong(one -> now - one.since()).max().orElseThrow();
    List<TopicName> most =
        topics.keySet().stream()
            .sorted(
                Comparator.<String>comparingLong(topic -> -requireNonNull(topics.get(topic)))
                    .thenComparing(Comparator.naturalOrder()))
            .map(TopicName::new)
            .toList();
    return new LeaseHolding(
        nonce,
        null,
        held.size(),
        held.stream().mapToLong(Model::size).sum(),
        rig.clock.instant().minusNanos(age),
        most);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void workersAndTheListAgree(long seed) {
    Random random = new Random(seed);
    TOPICS.forEach(topic -> rig.send(topic, "first", "x"));
    for (int step = 0; step < STEPS; step++) {
      String topic = TOPICS.get(random.nextInt(3));
      switch (random.nextInt(8)) {
        case 0, 1 -> rig.send(topic, "k" + sent++, "x".repeat(1 + random.nextInt(9)));
        case 2, 3 -> lease(topic, callers.get(random.nextInt(3)), 1 + random.nextInt(4));
        case 4 -> new ArrayList<>(model.values()).stream().limit(1).forEach(this::ack);
        case 5 -> rig.pass(Duration.ofMillis(random.nextInt(900)));
        case 6 -> end(topic, selection(random));
        default -> check();
      }
    }
    check();
  }

  /** More than a worker ends in one step, and more than a list has. */
  @ParameterizedTest
  @ValueSource(ints = {999, 1_000, 1_001, 3_500})
  void manyLeasesEndInSeveralSteps(int leases) {
    for (int i = 0; i < leases; i++) {
      CompletableFuture<SendOutcome> unused = rig.submit("orders", "k" + i);
    }
    rig.run();
    int before;
    do {
      before = model.size();
      lease("orders", callers.get(0), 100);
    } while (model.size() > before);
    assertEquals(leases, model.size());
    assertEquals(
        100,
        rig.operate(
                () -> rig.holdings().leases(SampleCallers.OPERATOR, new TopicName("orders"), 100))
            .size());
    end("orders", LeaseSelection.ALL);
    assertEquals(0, model.size());
  }
}
