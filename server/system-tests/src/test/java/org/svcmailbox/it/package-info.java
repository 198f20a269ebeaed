/**
 * System tests: they drive the laid-out server over HTTP, as its users do, and share no code with
 * it but the core's values.
 */
@NullMarked
package org.svcmailbox.it;

import org.jspecify.annotations.NullMarked;
