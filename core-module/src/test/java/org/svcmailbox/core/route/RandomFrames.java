package org.svcmailbox.core.route;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;

/** Random calls and answers of every kind. */
final class RandomFrames {
  private static final String[] CHARACTERS = {
    "a", "Z", "0", "ä", "ß", "€", "𝄞", " ", "\u0000", "\""
  };

  private final Random random;

  RandomFrames(long seed) {
    this.random = new Random(seed);
  }

  ForwardedCall call() {
    return new ForwardedCall(
        new BearerToken("token-" + random.nextInt()),
        maybe(this::address),
        Duration.ofMillis(random.nextInt(60_000)),
        peerCall(random.nextInt(8)));
  }

  private PeerCall peerCall(int kind) {
    return switch (kind) {
      case 0 -> new PeerCall.Send(send());
      case 1 ->
          new PeerCall.Recv(
              id(),
              new RecvRequest(
                  topic(),
                  maybe(this::time),
                  1 + random.nextInt(100),
                  1 + random.nextLong(Long.MAX_VALUE - 1),
                  Duration.ZERO,
                  maybe(() -> random.nextInt(1_000))));
      case 2 -> new PeerCall.Settle(new SettleRequest.Ack(msgId(), maybe(this::receipt)));
      case 3 ->
          new PeerCall.Settle(
              new SettleRequest.Nack(
                  msgId(), maybe(this::receipt), maybe(() -> text(0, 512)), maybe(this::time)));
      case 4 ->
          new PeerCall.Settle(
              new SettleRequest.Reject(msgId(), maybe(this::receipt), text(0, 512)));
      case 5 ->
          new PeerCall.Settle(new SettleRequest.Extend(msgId(), maybe(this::receipt), time()));
      case 6 -> new PeerCall.Ask(groups(), task());
      default -> new PeerCall.GiveBack(id());
    };
  }

  private Set<Integer> groups() {
    return Set.copyOf(new HashSet<>(list(4, () -> random.nextInt(1_024))));
  }

  private GroupTask task() {
    TopicName topic = topic();
    return switch (random.nextInt(6)) {
      case 0 ->
          new GroupTask.Peek(topic, maybe(() -> random.nextInt(1_000)), 1 + random.nextInt(100));
      case 1 -> new GroupTask.Purge(topic);
      case 2 -> new GroupTask.Cancel(topic, msgId());
      case 3 -> new GroupTask.ListLeases(topic, 1 + random.nextInt(100));
      case 4 ->
          new GroupTask.EndLeases(
              topic,
              new LeaseSelection(
                  maybe(() -> text(1, 30)), maybe(() -> Set.copyOf(list(5, this::msgId)))));
      default -> new GroupTask.FollowLedger(topic, random.nextInt(1_000));
    };
  }

  private HeldLease lease() {
    return new HeldLease(
        msgId(),
        random.nextInt(1_000),
        1 + random.nextInt(100),
        moment(),
        moment(),
        moment(),
        random.nextInt(1_000_000),
        maybe(() -> text(1, 30)),
        maybe(() -> text(1, 30)));
  }

  PeerAnswer answer() {
    return switch (random.nextInt(13)) {
      case 0 -> new PeerAnswer.Sent(new SendOutcome.Accepted(msgId(), random.nextBoolean()));
      case 1 -> new PeerAnswer.Sent(new SendOutcome.KeyConflict(msgId()));
      case 2 -> new PeerAnswer.Sent(new SendOutcome.HashMismatch());
      case 3 -> new PeerAnswer.Received(new Delivered(list(3, this::leased)));
      case 4 -> new PeerAnswer.Settled(SettleOutcome.DONE);
      case 5 -> new PeerAnswer.Settled(new SettleOutcome.Stale(one(SettleOutcome.Why.values())));
      case 6 -> new PeerAnswer.Settled(new SettleOutcome.TooLong(time()));
      case 7 -> new PeerAnswer.Settled(SettleOutcome.UNKNOWN);
      case 8 ->
          new PeerAnswer.Refused(
              new Refusal(one(Problem.values()), text(1, 20), text(0, 99), maybe(this::time)));
      case 9 ->
          new PeerAnswer.Thrown(
              one(Problem.values()),
              text(0, 99),
              list(5, () -> new FieldViolation(text(1, 9), text(1, 9))));
      case 10 -> new PeerAnswer.GivenBack();
      case 11 ->
          new PeerAnswer.Told(
              new GroupResult(
                  groups(),
                  list(3, () -> leased().message()),
                  list(5, this::lease),
                  random.nextLong(),
                  random.nextBoolean()));
      default -> new PeerAnswer.Unanswered();
    };
  }

  SendRequest send() {
    return new SendRequest(
        topic(),
        payload(),
        new IdemKey(text(1, 127)),
        attributes(),
        maybe(() -> new CorrId(text(1, 64))),
        maybe(() -> new ShardKey(text(1, 127))),
        Duration.ofMillis(random.nextInt(1_000_000)),
        maybe(() -> Duration.ofMillis(1 + random.nextInt(1_000_000))),
        maybe(this::digest),
        maybe(() -> new Signature(text(1, 500))),
        maybe(this::trace));
  }

  LeasedMessage leased() {
    StoredMessage message =
        new StoredMessage(
            envelope(),
            payload(),
            maybe(() -> text(0, 300)),
            moment(),
            maybe(this::time),
            history(),
            maybe(this::trace));
    return new LeasedMessage(message, receipt(), time());
  }

  private Envelope envelope() {
    return new Envelope(
        msgId(),
        topic(),
        moment(),
        new IdemKey(text(1, 127)),
        digest(),
        attributes(),
        new CorrId(text(1, 64)),
        random.nextInt(1_000),
        random.nextLong(),
        1 + random.nextInt(1_000),
        digest(),
        maybe(() -> new Signature(text(1, 500))));
  }

  private MessageHistory history() {
    List<MessageEvent> events = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      events.add(
          new MessageEvent(
              one(MessageEvent.Kind.values()),
              moment(),
              random.nextInt(100),
              text(0, 200),
              maybe(() -> CapabilityId.of("k-1", bytes(CapabilityId.NONCE_BYTES)))));
    }
    return new MessageHistory(events, random.nextInt(9), random.nextInt(9));
  }

  private Attributes attributes() {
    Map<String, String> values = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      values.put(text(1, 60), text(0, 500));
    }
    return new Attributes(values);
  }

  private TopicName topic() {
    return new TopicName("topic." + random.nextInt(1_000));
  }

  private Payload payload() {
    return Payload.owning(bytes(random.nextInt(300)));
  }

  private TraceContext trace() {
    String parent = "00-" + hex(32) + "-" + hex(16) + "-01";
    TraceContext trace = TraceContext.of(parent, maybe(() -> "vendor=" + hex(8)));
    if (trace == null) {
      throw new AssertionError(parent);
    }
    return trace;
  }

  private String hex(int digits) {
    StringBuilder text = new StringBuilder("1");
    while (text.length() < digits) {
      text.append(Character.forDigit(random.nextInt(16), 16));
    }
    return text.toString();
  }

  private InetAddress address() {
    try {
      return InetAddress.getByAddress(bytes(random.nextBoolean() ? 4 : 16));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private RecvId id() {
    return new RecvId(random.nextLong(), random.nextLong());
  }

  private MsgId msgId() {
    return new MsgId(random.nextLong(), random.nextLong());
  }

  private Receipt receipt() {
    return new Receipt(Long.toUnsignedString(random.nextLong(), 36) + "-1");
  }

  private Digest digest() {
    return Digest.ofBytes(bytes(Digest.BYTES));
  }

  private Duration time() {
    return Duration.ofSeconds(random.nextInt(100_000), random.nextInt(1_000_000_000));
  }

  private Instant moment() {
    return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private String text(int min, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = min + random.nextInt(most - min + 1); i > 0; i--) {
      text.append(one(CHARACTERS));
    }
    return text.toString();
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private <T> List<T> list(int most, Supplier<T> element) {
    List<T> all = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      all.add(element.get());
    }
    return all;
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }
}
