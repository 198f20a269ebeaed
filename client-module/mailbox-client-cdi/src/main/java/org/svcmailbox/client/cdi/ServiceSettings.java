package org.svcmailbox.client.cdi;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a mailbox is reached over HTTP.
 *
 * @param tokenFile holds the capability
 * @param replyTo the names that replies may go to; empty for none
 */
record ServiceSettings(
    URI url, Path tokenFile, boolean allowPlainHttp, Optional<Pattern> replyTo) {}
