/** Disks that a test can fill and break. */
@NullMarked
package org.svcmailbox.test.disk;

import org.jspecify.annotations.NullMarked;
