package org.svcmailbox.client.listener;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings for reaching a mailbox over HTTP.
 *
 * @param tokenFile the file with the capability
 * @param streaming whether receives use a stream
 * @param replyTo a pattern for the names of mailboxes that may get replies; empty for none
 */
public record ServiceSettings(
    URI url,
    Path tokenFile,
    boolean allowPlainHttp,
    boolean streaming,
    Optional<Pattern> replyTo) {}
