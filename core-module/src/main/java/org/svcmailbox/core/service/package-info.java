/**
 * The services of a running mailbox, for endpoints. Invariant: each is the core's own object, so no
 * call passes a container.
 */
@NullMarked
package org.svcmailbox.core.service;

import org.jspecify.annotations.NullMarked;
