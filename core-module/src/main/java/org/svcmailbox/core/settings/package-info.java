/**
 * The service's settings: one immutable record, loaded and checked once, all violations reported
 * together with their keys.
 */
@NullMarked
package org.svcmailbox.core.settings;

import org.jspecify.annotations.NullMarked;
