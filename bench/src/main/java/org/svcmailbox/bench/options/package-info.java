/**
 * The command line: scenarios, their defaults, and what the options select.
 *
 * <p>Options are checked before anything starts; a message starts with the option in question.
 */
@NullMarked
package org.svcmailbox.bench.options;

import org.jspecify.annotations.NullMarked;
