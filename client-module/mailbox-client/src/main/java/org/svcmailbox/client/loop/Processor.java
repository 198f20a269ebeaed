package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Capabilities;
import org.svcmailbox.client.Capabilities.KeyScope;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReplyNotAvailableException;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.loop.Job.Interruption;

/**
 * Handles one message from its receipt to its end. A message is acknowledged only after its reply,
 * or its dead-letter copy, was accepted.
 */
final class Processor<T, R> {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());
  private static final int SETTLE_TRIES = 3;
  private static final Duration SETTLE_PAUSE = Duration.ofSeconds(1);
  private static final Duration BACKOFF_STEP = Duration.ofMinutes(1);
  private static final Duration BACKOFF_MAX = Duration.ofMinutes(15);

  /** A pause that the end of the loop cuts short. */
  interface Pause {
    /** False if the loop has stopped. */
    boolean await(Duration duration);
  }

  private final String mailbox;
  private final Duration maxVisibility;
  private final Duration maxExecution;
  private final Work<T, R> work;
  private final DLQConfig deadLetters;
  private final Consumer<Job<T, R>> limited;
  private final Runnable handled;
  private final Pause pause;

  /**
   * A processor for one mailbox.
   *
   * @param limited is told when a job has got an end of its own
   * @param handled is told when a handler has returned
   */
  Processor(
      Mailbox<T, R> mailbox,
      LoopSettings settings,
      Work<T, R> work,
      Consumer<Job<T, R>> limited,
      Runnable handled,
      Pause pause) {
    this.mailbox = mailbox.name();
    this.maxVisibility = mailbox.capabilities().maxVisibility();
    this.maxExecution = settings.maxExecution();
    this.work = work;
    this.deadLetters = settings.deadLetters();
    this.limited = limited;
    this.handled = handled;
    this.pause = pause;
  }

  /** The delay before the next delivery of a message that failed. */
  static Duration backoff(int deliveryCount) {
    Duration delay = BACKOFF_STEP.multipliedBy(deliveryCount);
    return delay.compareTo(BACKOFF_MAX) < 0 ? delay : BACKOFF_MAX;
  }

  void process(Job<T, R> job) {
    Message<T, R> message = job.message();
    if (!job.begin() || deadLetters.isDead(message.deliveryCount())) {
      concludeUnhandled(message, handled(job));
      return;
    }
    R output = null;
    Throwable failure = null;
    Work.TimeLimit limit = null;
    try {
      limit = work.limit(message);
      if (limit != null) {
        job.limit(limit.left());
        limited.accept(job);
      }
      if (limit == null || !isOver(limit)) {
        output = work.run(message);
      }
    } catch (Throwable e) {
      // Errors too: the worker lives on and the message comes back.
      failure = e;
    }
    conclude(message, handled(job), output, failure, limit);
  }

  private @Nullable Interruption handled(Job<T, R> job) {
    Interruption why = job.handled();
    handled.run();
    return why;
  }

  private void concludeUnhandled(Message<T, R> message, @Nullable Interruption interruption) {
    if (interruption == null) {
      deadLetter(message);
    } else if (interruption == Interruption.STOPPED) {
      giveBack(message);
    }
  }

  private void conclude(
      Message<T, R> message,
      @Nullable Interruption interruption,
      @Nullable R output,
      @Nullable Throwable failure,
      Work.@Nullable TimeLimit limit) {
    if (interruption == Interruption.LEASE_LOST) {
      log(Level.WARNING, message, "lost its lease; another worker may have it", failure);
    } else if (message.isFinalized()) {
      logIfFailed(message, failure);
    } else if (limit != null
        && (isOver(limit) || interruptedBy(Interruption.OUT_OF_TIME, interruption, failure))) {
      answerAndAcknowledge(message, limit.error());
    } else if (failure == null) {
      succeed(message, output);
    } else if (interruption == Interruption.STOPPED) {
      giveBack(message);
    } else if (interruption == Interruption.OVERDUE) {
      retry(message, "the handler took longer than " + maxExecution, failure);
    } else if (interruption == Interruption.LEASE_LIMIT) {
      retry(message, "the handler took longer than its lease can be extended", failure);
    } else {
      retry(message, failure.toString(), failure);
    }
  }

  /** A handler that returned all the same has done its work. */
  private static boolean interruptedBy(
      Interruption why, @Nullable Interruption interruption, @Nullable Throwable failure) {
    return interruption == why && failure != null;
  }

  private static boolean isOver(Work.TimeLimit limit) {
    return limit.left().isNegative() || limit.left().isZero();
  }

  private void succeed(Message<T, R> message, @Nullable R output) {
    if (output != null && message.replyTo().isPresent()) {
      try {
        message.reply(output);
      } catch (RuntimeException e) {
        retry(message, "the reply failed: " + e, e);
        return;
      }
    }
    settle(message, "acknowledged", message::acknowledge);
  }

  private void retry(Message<T, R> message, String error, Throwable cause) {
    Duration delay = backoff(message.deliveryCount());
    Duration allowed = delay.compareTo(maxVisibility) < 0 ? delay : maxVisibility;
    log(Level.WARNING, message, "failed and comes back in " + allowed, cause);
    settle(message, "nacked", () -> message.nack(allowed, error));
  }

  private void deadLetter(Message<T, R> message) {
    String error =
        "delivered "
            + message.deliveryCount()
            + " times"
            + message.lastError().map(last -> "; the last error: " + last).orElse("");
    Mailbox<byte[], ?> target = deadLetters.mailbox();
    if (target != null) {
      try {
        target.send(copy(message, target.capabilities()));
      } catch (RuntimeException e) {
        retry(message, "dead-lettering failed: " + e, e);
        return;
      }
    }
    log(Level.ERROR, message, "is a dead letter: " + error, null);
    answerAndAcknowledge(message, error);
  }

  private Outgoing<byte[], Object> copy(Message<T, R> message, Capabilities target) {
    Outgoing.Builder<byte[], Object> copy = Outgoing.builder(message.rawBody());
    Map<String, String> attributes = new TreeMap<>();
    attributes.put(DLQConfig.REASON, "max_attempts");
    attributes.put(DLQConfig.ATTEMPT, String.valueOf(message.deliveryCount()));
    attributes.put(DLQConfig.MESSAGE_ID, message.id());
    attributes.put(DLQConfig.MAILBOX, mailbox);
    message.lastError().ifPresent(last -> attributes.put(DLQConfig.LAST_ERROR, last));
    message.attributes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(Math.max(0, target.maxAttributes() - attributes.size()))
        .forEach(own -> attributes.putIfAbsent(own.getKey(), own.getValue()));
    copy.attributes(attributes);
    message.correlationId().ifPresent(copy::correlationId);
    message.inReplyTo().ifPresent(copy::inReplyTo);
    message.traceparent().ifPresent(copy::traceparent);
    message.tracestate().ifPresent(copy::tracestate);
    if (target.keys() != KeyScope.NONE) {
      // So that a copy whose acknowledgement fails is not made twice.
      copy.key("dead-letter/" + message.id());
    }
    return copy.build();
  }

  private void answerAndAcknowledge(Message<T, R> message, String error) {
    Optional<R> reply =
        message.replyTo().flatMap(name -> Optional.ofNullable(work.failure(message, error)));
    if (reply.isPresent()) {
      try {
        message.reply(reply.get());
      } catch (ReplyNotAvailableException | SerializationException e) {
        // It will not work later either, and the message must end.
        log(Level.WARNING, message, "cannot be answered", e);
      } catch (RuntimeException e) {
        retry(message, "the reply failed: " + e, e);
        return;
      }
    }
    settle(message, "acknowledged", message::acknowledge);
  }

  /** Returns a message that nobody handles to its queue. */
  void giveBack(Message<T, R> message) {
    settle(message, "returned", () -> message.nack(Duration.ZERO, "the worker stopped"));
  }

  /** Repeats what a lost connection prevented, because it would cost another delivery. */
  private void settle(Message<T, R> message, String what, Runnable call) {
    for (int tries = 1; ; tries++) {
      try {
        call.run();
        return;
      } catch (MessageFinalizedException e) {
        return;
      } catch (MailboxConnectionException | OutOfMemoryError e) {
        if (tries == SETTLE_TRIES || !pause.await(SETTLE_PAUSE)) {
          log(Level.WARNING, message, "was not " + what, e);
          return;
        }
      } catch (RuntimeException e) {
        log(Level.WARNING, message, "was not " + what, e);
        return;
      }
    }
  }

  private void logIfFailed(Message<T, R> message, @Nullable Throwable failure) {
    if (failure != null) {
      log(Level.WARNING, message, "was finalized by its handler, which then failed", failure);
    }
  }

  private void log(Level level, Message<T, R> message, String what, @Nullable Throwable cause) {
    LOG.log(
        level,
        () ->
            "mailbox "
                + mailbox
                + ": message "
                + message.id()
                + ", delivery "
                + message.deliveryCount()
                + ", "
                + what,
        cause);
  }
}
