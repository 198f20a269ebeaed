package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.core.delivery.SettleRequest.Reject;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.route.PeerCall.Ask;
import org.svcmailbox.core.route.PeerCall.GiveBack;
import org.svcmailbox.core.route.PeerCall.Recv;
import org.svcmailbox.core.route.PeerCall.Send;
import org.svcmailbox.core.route.PeerCall.Settle;

/** The calls in a frame. Each begins with its kind in one byte. */
final class CallParts {
  private static final int SEND = 1;
  private static final int RECV = 2;
  private static final int ACK = 3;
  private static final int NACK = 4;
  private static final int REJECT = 5;
  private static final int EXTEND = 6;
  private static final int GIVE_BACK = 7;
  private static final int ASK = 8;

  private CallParts() {}

  static void write(FrameWriter out, PeerCall call) {
    if (call instanceof Send send) {
      write(out.tag(SEND), send.request());
    } else if (call instanceof Recv recv) {
      write(out.tag(RECV), recv);
    } else if (call instanceof Settle settle) {
      write(out, settle.request());
    } else if (call instanceof GiveBack giveBack) {
      write(out.tag(GIVE_BACK), giveBack.id());
    } else if (call instanceof Ask ask) {
      TaskParts.write(out.tag(ASK), ask);
    } else {
      throw new IllegalArgumentException("no kind for " + call);
    }
  }

  static PeerCall read(FrameReader in) {
    int kind = in.tag();
    return switch (kind) {
      case SEND -> new Send(send(in));
      case RECV -> new Recv(id(in), recv(in));
      case ACK -> new Settle(new Ack(msgId(in), receipt(in)));
      case NACK -> new Settle(nack(in));
      case REJECT -> new Settle(new Reject(msgId(in), receipt(in), reason(in.text())));
      case EXTEND -> new Settle(new Extend(msgId(in), receipt(in), in.time()));
      case GIVE_BACK -> new GiveBack(id(in));
      case ASK -> TaskParts.ask(in);
      default -> throw new IllegalArgumentException("no call has kind " + kind);
    };
  }

  private static void write(FrameWriter out, SendRequest send) {
    out.text(send.topic().value())
        .bytes(send.payload().bytes())
        .text(send.idemKey().value())
        .optional(send.corrId(), (to, id) -> to.text(id.value()))
        .optional(send.shardKey(), (to, key) -> to.text(key.value()))
        .time(send.delay())
        .optional(send.ttl(), FrameWriter::time)
        .optional(send.payloadHash(), (to, hash) -> to.raw(hash.bytes()))
        .optional(send.sig(), (to, sig) -> to.text(sig.value()))
        .optional(send.trace(), CallParts::write);
    write(out, send.attrs());
  }

  private static SendRequest send(FrameReader in) {
    TopicName topic = new TopicName(in.text());
    Payload payload = Payload.owning(in.bytes());
    IdemKey key = new IdemKey(in.text());
    CorrId corrId = in.optional(from -> new CorrId(from.text()));
    ShardKey shardKey = in.optional(from -> new ShardKey(from.text()));
    Duration delay = in.time();
    Duration ttl = in.optional(FrameReader::time);
    Digest hash = in.optional(CallParts::digest);
    Signature sig = in.optional(from -> new Signature(from.text()));
    TraceContext trace = in.optional(CallParts::trace);
    return new SendRequest(
        topic, payload, key, attributes(in), corrId, shardKey, delay, ttl, hash, sig, trace);
  }

  private static void write(FrameWriter out, Recv recv) {
    RecvRequest request = recv.request();
    write(out, recv.id());
    out.text(request.topic().value())
        .optional(request.visibility(), FrameWriter::time)
        .number(request.maxMessages())
        .number(request.maxBytes())
        .optional(request.shard(), FrameWriter::number);
  }

  private static RecvRequest recv(FrameReader in) {
    TopicName topic = new TopicName(in.text());
    Duration visibility = in.optional(FrameReader::time);
    int messages = in.number();
    long bytes = in.longNumber();
    Integer shard = in.optional(FrameReader::number);
    return new RecvRequest(topic, visibility, messages, bytes, Duration.ZERO, shard);
  }

  private static void write(FrameWriter out, SettleRequest request) {
    out.tag(kind(request)).raw(request.msgId().bytes());
    out.optional(request.receipt(), (to, receipt) -> to.text(receipt.value()));
    if (request instanceof Nack nack) {
      out.optional(nack.reason(), FrameWriter::text).optional(nack.delay(), FrameWriter::time);
    } else if (request instanceof Reject reject) {
      out.text(reject.reason());
    } else if (request instanceof Extend extend) {
      out.time(extend.visibility());
    }
  }

  private static int kind(SettleRequest request) {
    if (request instanceof Ack) {
      return ACK;
    }
    if (request instanceof Nack) {
      return NACK;
    }
    return request instanceof Reject ? REJECT : EXTEND;
  }

  private static Nack nack(FrameReader in) {
    MsgId msgId = msgId(in);
    Receipt receipt = receipt(in);
    String reason = in.optional(from -> reason(from.text()));
    return new Nack(msgId, receipt, reason, in.optional(FrameReader::time));
  }

  private static String reason(String text) {
    if (text.length() > Nack.MAX_REASON) {
      throw new IllegalArgumentException("a reason of " + text.length());
    }
    return text;
  }

  private static void write(FrameWriter out, RecvId id) {
    out.number(id.high()).number(id.low());
  }

  private static RecvId id(FrameReader in) {
    long high = in.longNumber();
    return new RecvId(high, in.longNumber());
  }

  static MsgId msgId(FrameReader in) {
    return MsgId.ofBytes(in.raw(MsgId.BYTES));
  }

  private static @Nullable Receipt receipt(FrameReader in) {
    return in.optional(from -> new Receipt(from.text()));
  }

  static Digest digest(FrameReader in) {
    return Digest.ofBytes(in.raw(Digest.BYTES));
  }

  static void write(FrameWriter out, Attributes attrs) {
    out.list(
        attrs.values().entrySet(),
        (to, attribute) -> to.text(attribute.getKey()).text(attribute.getValue()));
  }

  static Attributes attributes(FrameReader in) {
    List<Map.Entry<String, String>> read =
        in.list(Attributes.MAX_COUNT, from -> Map.entry(from.text(), from.text()));
    Map<String, String> values = new HashMap<>();
    read.forEach(one -> values.put(one.getKey(), one.getValue()));
    if (values.size() < read.size()) {
      throw new IllegalArgumentException("an attribute twice");
    }
    return values.isEmpty() ? Attributes.NONE : new Attributes(values);
  }

  static void write(FrameWriter out, TraceContext trace) {
    out.text(trace.parent()).optional(trace.state(), FrameWriter::text);
  }

  static TraceContext trace(FrameReader in) {
    String parent = in.text();
    String state = in.optional(FrameReader::text);
    TraceContext trace = TraceContext.of(parent, state);
    if (trace == null) {
      throw new IllegalArgumentException("not a trace");
    }
    return trace;
  }
}
