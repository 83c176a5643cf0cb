// Removed as soon as the layers below land.
package let strongroomPlaceholder = 0
