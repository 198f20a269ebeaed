/** Directories as a whole. */
@NullMarked
package org.svcmailbox.test.files;

import org.jspecify.annotations.NullMarked;
