package org.svcmailbox.core.route;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;

/** Tasks for groups and their results in a frame. A task begins with its kind in one byte. */
final class TaskParts {
  private static final int PEEK = 1;
  private static final int PURGE = 2;
  private static final int CANCEL = 3;
  private static final int LIST_LEASES = 4;
  private static final int END_LEASES = 5;
  private static final int FOLLOW_LEDGER = 6;

  private static final int MOST_GROUPS = 1_024;

  private TaskParts() {}

  static void write(FrameWriter out, PeerCall.Ask ask) {
    out.list(ask.groups(), FrameWriter::number);
    write(out, ask.task());
  }

  static PeerCall.Ask ask(FrameReader in) {
    return new PeerCall.Ask(groups(in), task(in));
  }

  private static Set<Integer> groups(FrameReader in) {
    return Set.copyOf(in.list(MOST_GROUPS, FrameReader::number));
  }

  private static void write(FrameWriter out, GroupTask task) {
    String topic = task.topic().value();
    if (task instanceof GroupTask.Peek peek) {
      out.tag(PEEK).text(topic).optional(peek.shard(), FrameWriter::number).number(peek.limit());
    } else if (task instanceof GroupTask.Purge) {
      out.tag(PURGE).text(topic);
    } else if (task instanceof GroupTask.Cancel cancel) {
      out.tag(CANCEL).text(topic).raw(cancel.msgId().bytes());
    } else if (task instanceof GroupTask.ListLeases list) {
      out.tag(LIST_LEASES).text(topic).number(list.limit());
    } else if (task instanceof GroupTask.EndLeases end) {
      write(out.tag(END_LEASES).text(topic), end.which());
    } else if (task instanceof GroupTask.FollowLedger follow) {
      out.tag(FOLLOW_LEDGER).text(topic).number(follow.shard());
    } else {
      throw new IllegalArgumentException("no kind for " + task);
    }
  }

  private static GroupTask task(FrameReader in) {
    int kind = in.tag();
    TopicName topic = new TopicName(in.text());
    return switch (kind) {
      case PEEK -> {
        Integer shard = in.optional(FrameReader::number);
        yield new GroupTask.Peek(topic, shard, limit(in, TopicContents.MAX_PEEKED));
      }
      case PURGE -> new GroupTask.Purge(topic);
      case CANCEL -> new GroupTask.Cancel(topic, CallParts.msgId(in));
      case LIST_LEASES -> new GroupTask.ListLeases(topic, limit(in, HoldingService.MOST_LEASES));
      case END_LEASES -> new GroupTask.EndLeases(topic, selection(in));
      case FOLLOW_LEDGER -> new GroupTask.FollowLedger(topic, in.number());
      default -> throw new IllegalArgumentException("no task has kind " + kind);
    };
  }

  private static int limit(FrameReader in, int most) {
    int limit = in.number();
    if (limit < 1 || limit > most) {
      throw new IllegalArgumentException("a limit of " + limit);
    }
    return limit;
  }

  private static void write(FrameWriter out, LeaseSelection which) {
    out.optional(which.holder(), FrameWriter::text)
        .optional(
            which.messages(),
            (to, messages) -> to.list(messages, (one, msgId) -> one.raw(msgId.bytes())));
  }

  private static LeaseSelection selection(FrameReader in) {
    String holder = in.optional(FrameReader::text);
    Set<MsgId> messages =
        in.optional(from -> Set.copyOf(from.list(HoldingService.MOST_LEASES, CallParts::msgId)));
    return new LeaseSelection(holder, messages);
  }

  static void write(FrameWriter out, GroupResult result) {
    out.list(result.groups(), FrameWriter::number)
        .list(result.messages(), AnswerParts::write)
        .list(result.leases(), TaskParts::write)
        .number(result.count())
        .flag(result.isMore());
  }

  static GroupResult result(FrameReader in) {
    Set<Integer> groups = groups(in);
    List<StoredMessage> messages = in.list(TopicContents.MAX_PEEKED, AnswerParts::message);
    List<HeldLease> leases = in.list(HoldingService.MOST_LEASES, TaskParts::lease);
    long count = in.longNumber();
    return new GroupResult(groups, messages, leases, count, in.flag());
  }

  private static void write(FrameWriter out, HeldLease lease) {
    out.raw(lease.msgId().bytes())
        .number(lease.shard())
        .number(lease.attempt())
        .moment(lease.leasedAt())
        .moment(lease.deadline())
        .moment(lease.until())
        .number(lease.bytes())
        .optional(lease.holder(), FrameWriter::text)
        .optional(lease.holderName(), FrameWriter::text);
  }

  private static HeldLease lease(FrameReader in) {
    MsgId msgId = CallParts.msgId(in);
    int shard = in.number();
    int attempt = in.number();
    Instant leasedAt = in.moment();
    Instant deadline = in.moment();
    Instant until = in.moment();
    int bytes = in.number();
    @Nullable String holder = in.optional(FrameReader::text);
    return new HeldLease(
        msgId,
        shard,
        attempt,
        leasedAt,
        deadline,
        until,
        bytes,
        holder,
        in.optional(FrameReader::text));
  }
}
