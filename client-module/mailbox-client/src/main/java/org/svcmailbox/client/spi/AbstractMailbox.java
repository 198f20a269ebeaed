package org.svcmailbox.client.spi;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;

/**
 * A typed mailbox on a driver. A backend's mailbox extends it, so that every backend checks
 * arguments, decodes, finalizes, replies and closes alike.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public abstract class AbstractMailbox<T, R> implements Mailbox<T, R> {
  private final String name;
  private final MailboxDriver driver;
  private final Codec<T> codec;
  private final Codec<R> replyCodec;
  private final MailboxResolver resolver;
  private final Checks checks;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A mailbox that owns the driver.
   *
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @param resolver finds where those go; stays open
   * @throws IllegalArgumentException if the name is malformed, or a codec keeps references and the
   *     backend cannot
   */
  protected AbstractMailbox(
      String name,
      MailboxDriver driver,
      Codec<T> codec,
      Codec<R> replyCodec,
      MailboxResolver resolver) {
    this.name = MailboxNames.require(name);
    this.driver = requireNonNull(driver, "driver");
    this.codec = requireNonNull(codec, "codec");
    this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    this.resolver = requireNonNull(resolver, "resolver");
    this.checks = new Checks(driver.features());
    if (codec == Codecs.<T>reference() && !driver.features().references()) {
      throw new IllegalArgumentException("mailbox " + name + " needs a codec that makes bytes");
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String location() {
    return driver.location();
  }

  @Override
  public final BackendFeatures features() {
    return driver.features();
  }

  @Override
  public final String send(T body) {
    return send(Outgoing.of(body)).id();
  }

  @Override
  public final String send(T body, Mailbox<? super R, ?> replyTo) {
    return send(Outgoing.builder(body).replyTo(replyTo).build()).id();
  }

  @Override
  public final Sent send(Outgoing<? extends T, ? super R> message) {
    checks.message(message);
    requireOpen();
    return driver.send(encode(message));
  }

  @Override
  public final List<SendResult> sendAll(List<? extends Outgoing<? extends T, ? super R>> messages) {
    checks.batch(messages.size());
    messages.forEach(checks::message);
    requireOpen();
    SendResult[] results = new SendResult[messages.size()];
    List<Integer> places = new ArrayList<>();
    List<EncodedMessage> encoded = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      try {
        encoded.add(encode(messages.get(i)));
        places.add(i);
      } catch (MailboxException e) {
        results[i] = new SendResult.Failed(e);
      }
    }
    List<SendResult> answers = encoded.isEmpty() ? List.of() : driver.sendAll(encoded);
    for (int i = 0; i < answers.size(); i++) {
      results[places.get(i)] = answers.get(i);
    }
    return List.of(results);
  }

  @Override
  public final CompletionStage<Sent> sendAsync(Outgoing<? extends T, ? super R> message) {
    checks.message(message);
    try {
      requireOpen();
      return driver.sendAsync(encode(message));
    } catch (MailboxException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public final List<Message<T, R>> receive(int maxMessages, Duration visibility, Duration wait) {
    checks.receive(maxMessages, visibility, wait);
    requireOpen();
    if (Thread.currentThread().isInterrupted()) {
      return List.of();
    }
    try {
      List<Message<T, R>> messages = new ArrayList<>();
      for (DriverDelivery delivery : driver.receive(maxMessages, visibility, wait)) {
        messages.add(new LeasedMessage<>(this, delivery));
      }
      return messages;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  @Override
  public final int maxExtensions() {
    return driver.maxExtensions();
  }

  @Override
  public final List<Optional<RuntimeException>> extendAll(
      List<? extends Message<T, R>> messages, Extension extension) {
    checks.visibility(extension.timeout());
    requireOpen();
    List<Optional<RuntimeException>> results = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    List<DriverDelivery> deliveries = new ArrayList<>();
    for (Message<T, R> message : messages) {
      if (message.isFinalized()) {
        results.add(Optional.of(LeasedMessage.finalizedException(message.id())));
      } else {
        places.add(results.size());
        results.add(Optional.empty());
        deliveries.add(LeasedMessage.delivery(message));
      }
    }
    if (!deliveries.isEmpty()) {
      List<Optional<RuntimeException>> answers = driver.extendAll(deliveries, extension);
      for (int i = 0; i < answers.size(); i++) {
        results.set(places.get(i), answers.get(i));
      }
    }
    return results;
  }

  @Override
  public final OptionalLong purge() {
    requireOpen();
    return driver.purge();
  }

  @Override
  public final long approximateCount() {
    requireOpen();
    return driver.approximateCount();
  }

  @Override
  public final boolean isClosed() {
    return closed.get();
  }

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      driver.close();
    }
  }

  Codec<T> codec() {
    return codec;
  }

  Checks checks() {
    return checks;
  }

  /** The driver, while the mailbox is open. */
  MailboxDriver openDriver() {
    requireOpen();
    return driver;
  }

  Mailbox<R, ?> resolve(String replyTo) {
    return resolver.resolve(replyTo, replyCodec);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new MailboxClosedException(name);
    }
  }

  private static Map<String, String> attributes(Outgoing<?, ?> message) {
    if (message.inReplyTo().isEmpty()) {
      return message.attributes();
    }
    Map<String, String> attributes = new HashMap<>(message.attributes());
    attributes.put(LeasedMessage.IN_REPLY_TO, message.inReplyTo().get());
    return Map.copyOf(attributes);
  }

  private EncodedMessage encode(Outgoing<? extends T, ?> message) {
    EncodedBody payload = EncodedBody.encode(codec, message.body());
    checks.payload(payload);
    return new EncodedMessage(
        payload,
        message.replyTo().map(Mailbox::name).orElse(null),
        message.key().orElse(null),
        message.group().orElse(null),
        message.delay(),
        attributes(message),
        message.correlationId().orElse(null),
        message.traceparent().orElse(null),
        message.tracestate().orElse(null));
  }
}
