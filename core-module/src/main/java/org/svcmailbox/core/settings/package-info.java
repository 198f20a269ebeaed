/** The settings: one immutable record, checked once, with all violations reported together. */
@NullMarked
package org.svcmailbox.core.settings;

import org.jspecify.annotations.NullMarked;
