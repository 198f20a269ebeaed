package org.svcmailbox.core.route;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.TooLong;
import org.svcmailbox.core.delivery.SettleOutcome.Unknown;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.route.PeerAnswer.GivenBack;
import org.svcmailbox.core.route.PeerAnswer.Received;
import org.svcmailbox.core.route.PeerAnswer.Refused;
import org.svcmailbox.core.route.PeerAnswer.Sent;
import org.svcmailbox.core.route.PeerAnswer.Settled;
import org.svcmailbox.core.route.PeerAnswer.Thrown;
import org.svcmailbox.core.route.PeerAnswer.Told;
import org.svcmailbox.core.route.PeerAnswer.Unanswered;

/** The answers in a frame. Each begins with its kind in one byte. */
final class AnswerParts {
  private static final int ACCEPTED = 1;
  private static final int CONFLICT = 2;
  private static final int HASH_MISMATCH = 3;
  private static final int RECEIVED = 4;
  private static final int DONE = 5;
  private static final int STALE = 6;
  private static final int TOO_LONG = 7;
  private static final int UNKNOWN = 8;
  private static final int REFUSED = 9;
  private static final int THROWN = 10;
  private static final int GIVEN_BACK = 11;
  private static final int UNANSWERED = 12;
  private static final int TOLD = 13;

  /** The most wrong fields that an answer names. */
  static final int MOST_VIOLATIONS = 100;

  private AnswerParts() {}

  static void write(FrameWriter out, PeerAnswer answer) {
    if (answer instanceof Sent sent) {
      write(out, sent.outcome());
    } else if (answer instanceof Received received) {
      out.tag(RECEIVED).list(received.outcome().messages(), AnswerParts::write);
    } else if (answer instanceof Settled settled) {
      write(out, settled.outcome());
    } else if (answer instanceof Refused refused) {
      write(out.tag(REFUSED), refused.refusal());
    } else if (answer instanceof Thrown thrown) {
      write(out.tag(THROWN), thrown);
    } else if (answer instanceof GivenBack) {
      out.tag(GIVEN_BACK);
    } else if (answer instanceof Unanswered) {
      out.tag(UNANSWERED);
    } else if (answer instanceof Told told) {
      TaskParts.write(out.tag(TOLD), told.result());
    } else {
      throw new IllegalArgumentException("no kind for " + answer);
    }
  }

  static PeerAnswer read(FrameReader in) {
    int kind = in.tag();
    return switch (kind) {
      case ACCEPTED -> new Sent(new Accepted(CallParts.msgId(in), in.flag()));
      case CONFLICT -> new Sent(new KeyConflict(CallParts.msgId(in)));
      case HASH_MISMATCH -> new Sent(new HashMismatch());
      case RECEIVED -> new Received(delivered(in));
      case DONE -> new Settled(SettleOutcome.DONE);
      case STALE -> new Settled(new Stale(word(Why.class, in)));
      case TOO_LONG -> new Settled(new TooLong(in.time()));
      case UNKNOWN -> new Settled(SettleOutcome.UNKNOWN);
      case REFUSED -> new Refused(refusal(in));
      case THROWN -> new Thrown(word(Problem.class, in), in.text(), violations(in));
      case GIVEN_BACK -> new GivenBack();
      case UNANSWERED -> new Unanswered();
      case TOLD -> new Told(TaskParts.result(in));
      default -> throw new IllegalArgumentException("no answer has kind " + kind);
    };
  }

  private static <E extends Enum<E>> E word(Class<E> type, FrameReader in) {
    return Enum.valueOf(type, in.text());
  }

  private static void write(FrameWriter out, SendOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      out.tag(ACCEPTED).raw(accepted.msgId().bytes()).flag(accepted.duplicate());
    } else if (outcome instanceof KeyConflict conflict) {
      out.tag(CONFLICT).raw(conflict.holder().bytes());
    } else if (outcome instanceof HashMismatch) {
      out.tag(HASH_MISMATCH);
    } else {
      throw new IllegalArgumentException("not an outcome of a SEND here: " + outcome);
    }
  }

  private static void write(FrameWriter out, SettleOutcome outcome) {
    if (outcome instanceof Done) {
      out.tag(DONE);
    } else if (outcome instanceof Stale stale) {
      out.tag(STALE).text(stale.why().name());
    } else if (outcome instanceof TooLong tooLong) {
      out.tag(TOO_LONG).time(tooLong.most());
    } else if (outcome instanceof Unknown) {
      out.tag(UNKNOWN);
    } else {
      throw new IllegalArgumentException("not an outcome of a lease here: " + outcome);
    }
  }

  private static void write(FrameWriter out, Refusal refusal) {
    out.text(refusal.problem().name())
        .text(refusal.reason())
        .text(refusal.detail())
        .optional(refusal.retryAfter(), FrameWriter::time);
  }

  private static Refusal refusal(FrameReader in) {
    Problem problem = word(Problem.class, in);
    String reason = in.text();
    String detail = in.text();
    return new Refusal(problem, reason, detail, in.optional(FrameReader::time));
  }

  private static void write(FrameWriter out, Thrown thrown) {
    List<FieldViolation> first =
        thrown.violations().subList(0, Math.min(MOST_VIOLATIONS, thrown.violations().size()));
    out.text(thrown.problem().name()).text(thrown.detail());
    out.list(first, (to, violation) -> to.text(violation.field()).text(violation.message()));
  }

  private static List<FieldViolation> violations(FrameReader in) {
    return in.list(MOST_VIOLATIONS, from -> new FieldViolation(from.text(), from.text()));
  }

  private static Delivered delivered(FrameReader in) {
    List<LeasedMessage> messages = in.list(RecvRequest.MAX_MESSAGES, AnswerParts::leased);
    return messages.isEmpty() ? Delivered.NONE : new Delivered(messages);
  }

  private static void write(FrameWriter out, LeasedMessage leased) {
    write(out, leased.message());
    out.text(leased.receipt().value()).time(leased.visibility());
  }

  static void write(FrameWriter out, StoredMessage message) {
    write(out, message.envelope());
    out.bytes(message.payload().bytes())
        .optional(message.lastError(), FrameWriter::text)
        .moment(message.expiresAt())
        .optional(message.ttl(), FrameWriter::time)
        .optional(message.trace(), CallParts::write);
    write(out, message.history());
  }

  private static LeasedMessage leased(FrameReader in) {
    StoredMessage message = message(in);
    return new LeasedMessage(message, new Receipt(in.text()), in.time());
  }

  static StoredMessage message(FrameReader in) {
    Envelope envelope = envelope(in);
    Payload payload = Payload.owning(in.bytes());
    String lastError = in.optional(FrameReader::text);
    Instant expiresAt = in.moment();
    Duration ttl = in.optional(FrameReader::time);
    TraceContext trace = in.optional(CallParts::trace);
    return new StoredMessage(envelope, payload, lastError, expiresAt, ttl, history(in), trace);
  }

  private static void write(FrameWriter out, Envelope envelope) {
    out.raw(envelope.msgId().bytes())
        .text(envelope.topic().value())
        .moment(envelope.ts())
        .text(envelope.idemKey().value())
        .raw(envelope.payloadHash().bytes())
        .text(envelope.corrId().value())
        .number(envelope.shard())
        .number(envelope.seq())
        .number(envelope.attempt())
        .raw(envelope.hashChain().bytes())
        .optional(envelope.sig(), (to, sig) -> to.text(sig.value()));
    CallParts.write(out, envelope.attrs());
  }

  private static Envelope envelope(FrameReader in) {
    MsgId msgId = CallParts.msgId(in);
    TopicName topic = new TopicName(in.text());
    Instant ts = in.moment();
    IdemKey key = new IdemKey(in.text());
    Digest payloadHash = CallParts.digest(in);
    CorrId corrId = new CorrId(in.text());
    int shard = in.number();
    long seq = in.longNumber();
    int attempt = in.number();
    Digest hashChain = CallParts.digest(in);
    Signature sig = in.optional(from -> new Signature(from.text()));
    Attributes attrs = CallParts.attributes(in);
    return new Envelope(
        msgId, topic, ts, key, payloadHash, attrs, corrId, shard, seq, attempt, hashChain, sig);
  }

  private static void write(FrameWriter out, MessageHistory history) {
    out.number(history.dropped()).number(history.redrives());
    out.list(history.events(), AnswerParts::write);
  }

  private static MessageHistory history(FrameReader in) {
    int dropped = in.number();
    int redrives = in.number();
    List<MessageEvent> events = in.list(MessageHistory.MAX_EVENTS, AnswerParts::event);
    return new MessageHistory(events, dropped, redrives);
  }

  private static void write(FrameWriter out, MessageEvent event) {
    out.text(event.kind().name())
        .moment(event.at())
        .number(event.attempt())
        .text(event.note())
        .optional(event.by(), (to, by) -> to.bytes(by.bytes()));
  }

  private static MessageEvent event(FrameReader in) {
    MessageEvent.Kind kind = word(MessageEvent.Kind.class, in);
    Instant at = in.moment();
    int attempt = in.number();
    String note = in.text();
    @Nullable CapabilityId by = in.optional(from -> CapabilityId.ofBytes(from.bytes()));
    return new MessageEvent(kind, at, attempt, note, by);
  }
}
