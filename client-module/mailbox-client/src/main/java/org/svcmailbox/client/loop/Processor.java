package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReplyNotAvailableException;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.loop.HandledMessage.Interruption;
import org.svcmailbox.client.loop.LoopListener.Ending;

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

  /** A pause that ends early when the loop stops. */
  interface Pause {
    /** False if the loop has stopped. */
    boolean await(Duration duration);
  }

  private final String mailbox;
  private final Duration maxVisibility;
  private final Duration maxExecution;
  private final Work<T, R> work;
  private final DLQConfig deadLetters;
  private final int maxDeliveries;
  private final IntFunction<Duration> retryDelay;
  private final Consumer<HandledMessage<T, R>> limited;
  private final Runnable handled;
  private final Pause pause;

  /**
   * A processor for one mailbox.
   *
   * @param limited called when a job gets its own time limit
   * @param handled called when a handler has returned
   */
  Processor(
      Mailbox<T, R> mailbox,
      LoopSettings settings,
      Work<T, R> work,
      Consumer<HandledMessage<T, R>> limited,
      Runnable handled,
      Pause pause) {
    this.mailbox = mailbox.name();
    this.maxVisibility = mailbox.features().maxVisibility();
    this.maxExecution = settings.maxExecution();
    this.work = work;
    this.deadLetters = settings.deadLetters();
    this.maxDeliveries =
        deadLetters.isBackend() ? mailbox.features().maxDeliveries() : Integer.MAX_VALUE;
    this.retryDelay = settings.retryDelay();
    this.limited = limited;
    this.handled = handled;
    this.pause = pause;
  }

  /** The delay before the next delivery of a message that failed. */
  static Duration backoff(int deliveryCount) {
    Duration delay = BACKOFF_STEP.multipliedBy(deliveryCount);
    return delay.compareTo(BACKOFF_MAX) < 0 ? delay : BACKOFF_MAX;
  }

  /** Handles the message of a job to its end, and says how it ended. */
  Ending process(HandledMessage<T, R> job) {
    Message<T, R> message = job.message();
    if (!job.begin() || deadLetters.isDead(message.deliveryCount())) {
      return concludeUnhandled(message, handled(job));
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
    return conclude(message, handled(job), output, failure, limit);
  }

  private @Nullable Interruption handled(HandledMessage<T, R> job) {
    Interruption why = job.handled();
    handled.run();
    return why;
  }

  private Ending concludeUnhandled(Message<T, R> message, @Nullable Interruption interruption) {
    if (interruption == null) {
      return deadLetter(message);
    }
    return interruption == Interruption.STOPPED ? giveBack(message) : Ending.LEASE_LOST;
  }

  private Ending conclude(
      Message<T, R> message,
      @Nullable Interruption interruption,
      @Nullable R output,
      @Nullable Throwable failure,
      Work.@Nullable TimeLimit limit) {
    if (interruption == Interruption.LEASE_LOST) {
      log(Level.WARNING, message, "lost its lease; another worker may have it", failure);
      return Ending.LEASE_LOST;
    }
    if (message.isFinalized()) {
      logIfFailed(message, failure);
      return Ending.FINALIZED;
    }
    if (limit != null
        && (isOver(limit) || interruptedBy(Interruption.OUT_OF_TIME, interruption, failure))) {
      return answerAndAcknowledge(message, limit.error(), Ending.OUT_OF_TIME);
    }
    if (failure == null) {
      return succeed(message, output);
    }
    return interruption == Interruption.STOPPED
        ? giveBack(message)
        : fail(message, error(interruption, failure), failure);
  }

  private String error(@Nullable Interruption interruption, Throwable failure) {
    return interruption == Interruption.OVERDUE
        ? "the handler took longer than " + maxExecution
        : interruption == Interruption.LEASE_LIMIT
            ? "the handler took longer than its lease can be extended"
            : failure.toString();
  }

  /** A handler that returned normally despite the interrupt has done its work. */
  private static boolean interruptedBy(
      Interruption why, @Nullable Interruption interruption, @Nullable Throwable failure) {
    return interruption == why && failure != null;
  }

  private static boolean isOver(Work.TimeLimit limit) {
    return limit.left().isNegative() || limit.left().isZero();
  }

  private Ending succeed(Message<T, R> message, @Nullable R output) {
    if (output != null && message.replyTo().isPresent()) {
      try {
        message.reply(output);
      } catch (RuntimeException e) {
        return retry(message, "the reply failed: " + e, e);
      }
    }
    return settle(message, Ending.ACKNOWLEDGED, "acknowledged", message::acknowledge);
  }

  /**
   * The handler failed. The last failure is answered, because the backend does not report dead
   * letters to the sender.
   */
  private Ending fail(Message<T, R> message, String error, Throwable cause) {
    if (message.deliveryCount() >= maxDeliveries) {
      try {
        answer(message, error);
      } catch (RuntimeException e) {
        log(Level.WARNING, message, "was not answered", e);
      }
    }
    return retry(message, error, cause);
  }

  private Ending retry(Message<T, R> message, String error, Throwable cause) {
    Duration delay = retryDelay.apply(message.deliveryCount());
    Duration allowed = delay.compareTo(maxVisibility) < 0 ? delay : maxVisibility;
    log(Level.WARNING, message, "failed and comes back in " + allowed, cause);
    return settle(message, Ending.RETRIED, "nacked", () -> message.nack(allowed, error));
  }

  private Ending deadLetter(Message<T, R> message) {
    String error =
        "delivered "
            + message.deliveryCount()
            + " times"
            + message.lastError().map(last -> "; the last error: " + last).orElse("");
    Mailbox<byte[], ?> target = deadLetters.mailbox();
    if (target != null) {
      try {
        target.send(copy(message, target.features()));
      } catch (RuntimeException e) {
        return retry(message, "dead-lettering failed: " + e, e);
      }
    }
    log(Level.ERROR, message, "is a dead letter: " + error, null);
    return answerAndAcknowledge(message, error, Ending.DEAD_LETTER);
  }

  private Outgoing<byte[], Object> copy(Message<T, R> message, BackendFeatures target) {
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

  private Ending answerAndAcknowledge(Message<T, R> message, String error, Ending ending) {
    try {
      answer(message, error);
    } catch (RuntimeException e) {
      return retry(message, "the reply failed: " + e, e);
    }
    return settle(message, ending, "acknowledged", message::acknowledge);
  }

  /** Tells the sender of an error, if replies have room for one. */
  private void answer(Message<T, R> message, String error) {
    Optional<R> reply =
        message.replyTo().flatMap(name -> Optional.ofNullable(work.failure(message, error)));
    try {
      reply.ifPresent(message::reply);
    } catch (ReplyNotAvailableException | SerializationException e) {
      // It will not work later either, and the message must end.
      log(Level.WARNING, message, "cannot be answered", e);
    }
  }

  /** Returns an unhandled message to its queue. */
  Ending giveBack(Message<T, R> message) {
    return settle(
        message,
        Ending.RETURNED,
        "returned",
        () -> message.nack(Duration.ZERO, "the worker stopped"));
  }

  /**
   * Settles a message, and repeats the call after a lost connection, because otherwise the message
   * would be delivered again.
   */
  private Ending settle(Message<T, R> message, Ending ending, String what, Runnable call) {
    for (int tries = 1; ; tries++) {
      try {
        call.run();
        return ending;
      } catch (MessageFinalizedException e) {
        return Ending.FINALIZED;
      } catch (MailboxConnectionException | OutOfMemoryError e) {
        if (tries == SETTLE_TRIES || !pause.await(SETTLE_PAUSE)) {
          log(Level.WARNING, message, "was not " + what, e);
          return Ending.UNSETTLED;
        }
      } catch (RuntimeException e) {
        log(Level.WARNING, message, "was not " + what, e);
        return Ending.UNSETTLED;
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
