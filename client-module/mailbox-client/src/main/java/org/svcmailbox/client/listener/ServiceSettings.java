package org.svcmailbox.client.listener;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a mailbox is reached over HTTP.
 *
 * @param tokenFile holds the capability
 * @param streaming whether receives are by a stream
 * @param replyTo the names that replies may go to; empty for none
 */
public record ServiceSettings(
    URI url,
    Path tokenFile,
    boolean allowPlainHttp,
    boolean streaming,
    Optional<Pattern> replyTo) {}
