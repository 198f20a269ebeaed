/** A data directory that an earlier server made, and its service by this one. */
@NullMarked
package org.svcmailbox.it.upgrade;

import org.jspecify.annotations.NullMarked;
