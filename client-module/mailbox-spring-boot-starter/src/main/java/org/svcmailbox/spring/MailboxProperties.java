package org.svcmailbox.spring;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.svcmailbox.client.listener.ListenerSettings;
import org.svcmailbox.client.listener.ServiceSettings;
import org.svcmailbox.client.loop.DLQConfig;

/**
 * The properties {@code svcmailbox.*}. A property that does not exist fails the start.
 *
 * @param url of the mailbox service
 * @param tokenFile the file with the capability; read again when it changes
 * @param allowPlainHttp whether the URL may be plain {@code http} beyond loopback addresses
 * @param streaming whether receives use a stream
 * @param listen whether listeners start with the application
 * @param stopTimeout how long calls may still run when the application stops
 * @param mailboxes the properties of single mailboxes, by name
 */
@ConfigurationProperties(prefix = "svcmailbox", ignoreUnknownFields = false)
public record MailboxProperties(
    @Nullable URI url,
    @Nullable Path tokenFile,
    @DefaultValue("false") boolean allowPlainHttp,
    @DefaultValue("false") boolean streaming,
    @DefaultValue("true") boolean listen,
    @DefaultValue("30s") Duration stopTimeout,
    @DefaultValue Map<String, OfMailbox> mailboxes) {

  /**
   * The properties of one mailbox.
   *
   * @param url of the service, if it differs from the common one
   * @param tokenFile the file with the capability, if it differs from the common one
   * @param allowPlainHttp as for all mailboxes
   * @param streaming as for all mailboxes
   * @param replyTo a regular expression for the names of mailboxes that may get replies
   * @param concurrency how many messages its listener handles at a time
   * @param ordered whether its listener receives messages one at a time
   * @param visibility how long a lease lasts; it is extended during a call
   * @param maxExecution how long a call may take before it is interrupted; by default 9 times the
   *     visibility
   * @param retryDelay how long a message stays hidden after its call failed; by default a minute
   *     for each delivery, up to 15 minutes
   * @param deadLetterMailbox the name of the mailbox that receives dead letters
   * @param deadLetterLimit how many deliveries a message may have, if the backend has no such limit
   */
  public record OfMailbox(
      @Nullable URI url,
      @Nullable Path tokenFile,
      @Nullable Boolean allowPlainHttp,
      @Nullable Boolean streaming,
      @Nullable Pattern replyTo,
      @DefaultValue("1") int concurrency,
      @DefaultValue("false") boolean ordered,
      @DefaultValue("30s") Duration visibility,
      @Nullable Duration maxExecution,
      @Nullable Duration retryDelay,
      @Nullable String deadLetterMailbox,
      @Nullable Integer deadLetterLimit) {

    private static final OfMailbox DEFAULTS =
        new OfMailbox(
            null, null, null, null, null, 1, false, Duration.ofSeconds(30), null, null, null, null);

    private OptionalInt limit() {
      if (deadLetterLimit != null) {
        return OptionalInt.of(deadLetterLimit);
      }
      return deadLetterMailbox != null
          ? OptionalInt.of(DLQConfig.DEFAULT_DELIVERIES)
          : OptionalInt.empty();
    }
  }

  private OfMailbox of(String mailbox) {
    return mailboxes.getOrDefault(mailbox, OfMailbox.DEFAULTS);
  }

  ListenerSettings listener(String mailbox) {
    OfMailbox own = of(mailbox);
    return new ListenerSettings(
        own.concurrency,
        own.ordered,
        own.visibility,
        Optional.ofNullable(own.maxExecution),
        Optional.ofNullable(own.retryDelay),
        Optional.ofNullable(own.deadLetterMailbox),
        own.limit(),
        stopTimeout);
  }

  /**
   * How a mailbox is reached over HTTP.
   *
   * @throws IllegalStateException if that is not known
   */
  ServiceSettings service(String mailbox) {
    OfMailbox own = of(mailbox);
    return new ServiceSettings(
        given(own.url, url, "url", mailbox),
        given(own.tokenFile, tokenFile, "token-file", mailbox),
        own.allowPlainHttp != null ? own.allowPlainHttp : allowPlainHttp,
        own.streaming != null ? own.streaming : streaming,
        Optional.ofNullable(own.replyTo));
  }

  private static <V> V given(@Nullable V own, @Nullable V common, String key, String mailbox) {
    V value = own != null ? own : common;
    if (value == null) {
      throw new IllegalStateException(
          "mailbox " + mailbox + ": the property svcmailbox." + key + " is missing");
    }
    return value;
  }
}
