/**
 * The scenario {@code streams}: messages that come over streams, to messages that are asked for.
 *
 * <p>All variants take turns on one server with both doors open. Missed goals fail no run.
 */
@NullMarked
package org.svcmailbox.bench.stream;

import org.jspecify.annotations.NullMarked;
