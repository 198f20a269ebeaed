package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.condition.BrokerStanding;
import org.svcmailbox.core.condition.Condition;
import org.svcmailbox.core.condition.ConditionKind;
import org.svcmailbox.core.condition.Conditions;
import org.svcmailbox.core.condition.Observation;
import org.svcmailbox.core.condition.Observation.BoundUse;
import org.svcmailbox.core.condition.Observation.TopicLoad;
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.StatusTimes;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.metrics.Build;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicFigures;

/**
 * Reports the state of the service from memory. One thread calls {@link #look}; any thread may read
 * what it found. Parts are read at the call, so an outage shows at once even if it holds up the
 * thread that looks.
 */
public final class StateReport implements StateService {
  private final Limits limits;
  private final TopicDirectory topics;
  private final TopicReport report;
  private final Conditions policy = new Conditions();
  private final Ports ports;
  private final InstantSource clock;
  private volatile List<Condition> found = List.of();

  /** The sources outside the mailbox. */
  public record Ports(Vitals vitals, StatusTimes times, Supplier<BrokerStanding> broker) {}

  StateReport(
      Limits limits, TopicDirectory topics, TopicReport report, Ports ports, InstantSource clock) {
    this.limits = limits;
    this.topics = topics;
    this.report = report;
    this.ports = ports;
    this.clock = clock;
  }

  /** Records changes of parts that nobody asks for. */
  public void observe() {
    Stream.of(Part.values()).map(ports.vitals()::of).forEach(ports.times()::since);
  }

  /** Evaluates the conditions of disk, bounds and topics. */
  public void look() {
    List<TopicLoad> loads = topics.all().stream().map(this::load).toList();
    found =
        policy.after(
            new Observation(limits.diskRoom(), ports.broker().get().standby(), bounds(), loads),
            clock.instant());
  }

  private TopicLoad load(Topic listed) {
    TopicFigures figures = report.figures(listed);
    TopicGlance topic = report.glance(listed, figures);
    TopicName name = topic.name();
    return new TopicLoad(
        name,
        topic.paused(),
        figures.isReceived(),
        Duration.ofMillis(topic.oldestReadyAgeMillis()),
        listed.settings().alertReadyAge(),
        topic.saturation(),
        limits.topics().of(name).deadLetterCounts().all());
  }

  private List<BoundUse> bounds() {
    BoundUse ofTopics =
        new BoundUse(TopicDirectory.TOPICS_MAX, (double) topics.size() / topics.most());
    return Stream.concat(limits.global().map(StateReport::use), Stream.of(ofTopics)).toList();
  }

  private static BoundUse use(CapacityLimit limit) {
    return new BoundUse(limit.reason(), (double) limit.count() / limit.capacity());
  }

  @Override
  public ServiceState state(Caller caller) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    List<Condition> firing = Stream.concat(downParts(), found.stream()).toList();
    List<Condition> first = firing.subList(0, Math.min(firing.size(), MOST_CONDITIONS));
    return new ServiceState(
        Build.VERSION,
        Build.STARTED_AT,
        report.dlqProfile(),
        limits.diskRoom(),
        report.undeliverable(),
        ports.broker().get(),
        first,
        firing.size() - first.size());
  }

  private Stream<Condition> downParts() {
    return Stream.of(Part.values())
        .map(ports.vitals()::of)
        .filter(vital -> !vital.up())
        .map(this::condition);
  }

  private Condition condition(Vital down) {
    return new Condition(
        ConditionKind.PART_DOWN, ports.times().since(down), null, down.part().text(), null);
  }
}
