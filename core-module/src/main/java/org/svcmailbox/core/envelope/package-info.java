/**
 * The ids, names and hashes of a message. Values are validated on construction and immutable;
 * nothing here knows a container, a broker or a clock.
 */
@NullMarked
package org.svcmailbox.core.envelope;

import org.jspecify.annotations.NullMarked;
