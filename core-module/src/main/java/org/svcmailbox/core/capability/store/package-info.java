/** The port to the root keys, mintings and revocations that all nodes share. */
@NullMarked
package org.svcmailbox.core.capability.store;

import org.jspecify.annotations.NullMarked;
