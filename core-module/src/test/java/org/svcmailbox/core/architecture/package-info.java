/**
 * What holds for every module's dependencies, and how a test shows that a rule about them can fail.
 */
@NullMarked
package org.svcmailbox.core.architecture;

import org.jspecify.annotations.NullMarked;
